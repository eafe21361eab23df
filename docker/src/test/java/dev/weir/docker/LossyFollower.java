package dev.weir.docker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.cdc.consumer.SseFrame;
import dev.weir.cdc.consumer.StreamOptions;
import dev.weir.cdc.consumer.WeirStream;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Follows the whole change stream at most once, away for a while again and again and then at another node. What came and the gaps lie one behind the other,
 * seq by seq; else it fails.
 */
final class LossyFollower implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int TAKEN = 150;

    private final List<URI> nodes;
    private final Absence absence;
    private final Map<Integer, Long> next = new ConcurrentHashMap<>();
    private final Thread thread;
    private volatile boolean closed;
    private volatile @Nullable Throwable failure;
    private volatile long missed;

    /** @param absence between two connections: long enough for more to be written than waits for it */
    LossyFollower(List<URI> nodes, Absence absence) {
        this.nodes = nodes;
        this.absence = absence;
        this.thread = Thread.ofPlatform().name("follower-lossy").start(this::run);
    }

    private void run() {
        String lastId = null;
        try {
            for (int round = 0; !closed; round++) {
                List<URI> order = new ArrayList<>(nodes);
                Collections.rotate(order, round);
                StreamOptions options = StreamOptions.of(order.toArray(URI[]::new))
                        .silenceMax(Duration.ofSeconds(20))
                        .from("earliest")
                        .with("mode", "at-most-once")
                        .with("queue_events", Integer.toString(CarrierFollower.QUEUE_EVENTS))
                        .after(lastId);
                try (WeirStream stream = WeirStream.open(options)) {
                    follow(stream);
                    lastId = stream.lastId();
                }
                absence.pass(() -> closed);
            }
        } catch (Exception | AssertionError e) {
            failure = e;
        }
    }

    private void follow(WeirStream stream) throws IOException, InterruptedException {
        for (int taken = 0; taken < TAKEN && !closed; ) {
            SseFrame frame = stream.next(Duration.ofMillis(200));
            if (frame != null && frame.isChange()) {
                advance(
                        frame.head().partition(),
                        frame.head().seq(),
                        frame.head().seq());
                taken++;
            } else if (frame != null && frame.event().equals("gap")) {
                JsonNode gap = JSON.readTree(frame.data());
                long count = gap.required("count").longValue();
                long first = gap.required("first_seq").longValue();
                advance(gap.required("partition").intValue(), first, first + count - 1);
                missed += count;
            } else if (frame != null && frame.event().equals("lost")) {
                throw new AssertionError("an at-most-once stream is never lost: " + frame.data());
            }
        }
    }

    private void advance(int partition, long first, long last) {
        long expected = next.getOrDefault(partition, 1L);
        if (first != expected) {
            throw new AssertionError("partition " + partition + ": expected seq " + expected + ", found " + first);
        }
        next.put(partition, last + 1);
    }

    /** Events that came or were named as missing. */
    long accounted() {
        Throwable failed = failure;
        if (failed != null) {
            throw new AssertionError("the lossy follower failed: " + failed.getMessage(), failed);
        }
        return next.values().stream().mapToLong(seq -> seq - 1).sum();
    }

    /** Of these, those that were named as missing. */
    long missed() {
        return missed;
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join(Duration.ofSeconds(20));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
