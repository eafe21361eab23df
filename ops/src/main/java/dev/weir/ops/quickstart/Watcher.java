package dev.weir.ops.quickstart;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cdc.consumer.Deduplicator;
import dev.weir.cdc.consumer.Deduplicator.Verdict;
import dev.weir.cdc.consumer.SseFrame;
import dev.weir.cdc.consumer.StreamOptions;
import dev.weir.cdc.consumer.WeirStream;
import dev.weir.ops.client.ClusterStatus;
import dev.weir.ops.client.Json;
import dev.weir.ops.quickstart.HostRow.RowKey;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Watches the whole change stream from its first event on, through the loss of nodes, and judges it: every event once, no seq left out.
 * Reads in a thread of its own.
 */
final class Watcher implements AutoCloseable {
    private static final Duration STEP = Duration.ofMillis(500);
    private static final int LAST_MAX = 6;

    private final WeirStream stream;
    private final Deduplicator once = Deduplicator.unfiltered();
    private final Set<RowKey> seen = ConcurrentHashMap.newKeySet();
    private final Map<Integer, AtomicLong> perPartition = new ConcurrentHashMap<>();
    private final ConcurrentLinkedDeque<String> last = new ConcurrentLinkedDeque<>();
    private final List<String> faults = new CopyOnWriteArrayList<>();
    private final AtomicLong events = new AtomicLong();
    private final AtomicLong repeats = new AtomicLong();
    private volatile boolean stopped;
    private @Nullable Thread thread;

    private Watcher(WeirStream stream) {
        this.stream = stream;
    }

    /** @param status tells where each partition begins, so that a hole before its first event shows too */
    static Watcher start(List<URI> nodes, ClusterStatus status) {
        Watcher watcher = new Watcher(
                WeirStream.open(StreamOptions.of(nodes.toArray(URI[]::new)).from("earliest")));
        status.partitions().forEach(partition -> watcher.once.startAt(partition.partition(), partition.oldestSeq()));
        watcher.thread = Thread.ofPlatform().daemon().name("watcher").start(watcher::run);
        return watcher;
    }

    private void run() {
        try {
            while (!stopped) {
                SseFrame frame = stream.next(STEP);
                if (frame != null && frame.isChange()) {
                    take(frame);
                } else if (frame != null && frame.event().equals("lost")) {
                    faults.add("the stream lost its place: " + frame.data());
                }
            }
        } catch (IOException e) {
            faults.add("the stream ended: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void take(SseFrame frame) {
        Verdict verdict = once.accept(frame.head());
        if (verdict == Verdict.DUPLICATE) {
            repeats.incrementAndGet();
            return;
        }
        if (verdict == Verdict.HOLE) {
            faults.add("hole in " + once.lastHole());
            once.forgive(frame.head().partition(), frame.head().seq() + 1);
        }
        events.incrementAndGet();
        perPartition
                .computeIfAbsent(frame.head().partition(), id -> new AtomicLong())
                .incrementAndGet();
        JsonNode event = parsed(frame.data());
        if (event.path("event_type").asText().equals("point_written")) {
            seen.add(key(event));
        }
        last.addLast(frame.data());
        if (last.size() > LAST_MAX) {
            last.removeFirst();
        }
    }

    private static RowKey key(JsonNode event) {
        Map<String, String> tags = new TreeMap<>();
        event.path("tags")
                .properties()
                .forEach(tag -> tags.put(tag.getKey(), tag.getValue().asText()));
        return new RowKey(
                event.path("measurement").asText(),
                tags,
                event.path("timestamp").asLong());
    }

    private static JsonNode parsed(String data) {
        try {
            return Json.MAPPER.readTree(data);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("expected a change event as JSON, found " + data, e);
        }
    }

    /** Points whose change has come. */
    Set<RowKey> seen() {
        return seen;
    }

    long events() {
        return events.get();
    }

    /** Events that came again after a reconnection and were told apart. */
    long repeats() {
        return repeats.get();
    }

    /** Events of each partition so far. */
    Map<Integer, Long> eventsPerPartition() {
        Map<Integer, Long> counts = new TreeMap<>();
        perPartition.forEach((partition, count) -> counts.put(partition, count.get()));
        return counts;
    }

    /** The last few events as they came. */
    List<String> last() {
        return new ArrayList<>(last);
    }

    /** What is wrong with the stream; empty is how it must be. */
    List<String> faults() {
        return faults;
    }

    @Override
    public void close() throws InterruptedException {
        stopped = true;
        stream.close();
        Thread reader = thread;
        if (reader != null) {
            reader.join();
        }
    }
}
