package dev.weir.ops.quickstart;

import dev.weir.ops.client.Answer;
import dev.weir.ops.client.ClusterClient;
import dev.weir.ops.client.CommandFailedException;
import dev.weir.ops.quickstart.HostRow.RowKey;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Measures this machine a few times a second and writes what it found, through the nodes in turn. A batch that is not acknowledged is sent
 * again with the same key, through the next node, until it is. Runs in a thread of its own until it is stopped.
 */
final class SteadyWriter implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final Duration PAUSE_BEFORE_RETRY = Duration.ofMillis(100);
    private static final Duration GIVE_UP_AFTER = Duration.ofSeconds(60);

    private final ClusterClient nodes;
    private final Set<RowKey> acknowledged = ConcurrentHashMap.newKeySet();
    private final AtomicLong batches = new AtomicLong();
    private final AtomicLong retries = new AtomicLong();
    private final Thread thread;
    private volatile boolean stopped;
    private volatile @Nullable String failure;

    /** @param nodes whose calls go to the nodes in turn */
    SteadyWriter(ClusterClient nodes) {
        this.nodes = nodes;
        this.thread = Thread.ofPlatform().daemon().name("writer").start(this::run);
    }

    private void run() {
        HostFigures figures = new HostFigures();
        long timestamp = System.currentTimeMillis() * 1_000_000L;
        try {
            while (!stopped) {
                timestamp = Math.max(timestamp + 1, System.currentTimeMillis() * 1_000_000L);
                List<HostRow> rows = figures.measure(timestamp);
                writeUntilAcknowledged(rows);
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        } catch (CommandFailedException e) {
            failure = e.getMessage();
        }
    }

    private void writeUntilAcknowledged(List<HostRow> rows) {
        String body = rows.stream().map(HostRow::lineProtocol).collect(Collectors.joining());
        Map<String, String> headers = Map.of(
                "Content-Type",
                "text/plain",
                "Idempotency-Key",
                UUID.randomUUID().toString());
        long end = System.nanoTime() + GIVE_UP_AFTER.toNanos();
        while (true) {
            String found = attempt(body, headers);
            if (found.isEmpty()) {
                rows.forEach(row -> acknowledged.add(row.key()));
                batches.incrementAndGet();
                return;
            }
            if (System.nanoTime() - end > 0) {
                throw CommandFailedException.timedOut(
                        "a batch was not acknowledged in " + GIVE_UP_AFTER.toSeconds() + " s: " + found);
            }
            retries.incrementAndGet();
            LockSupport.parkNanos(PAUSE_BEFORE_RETRY.toNanos());
        }
    }

    /** Empty when acknowledged, else why not; ends the run where sending again can't help. */
    private String attempt(String body, Map<String, String> headers) {
        try {
            Answer answer = nodes.call("POST", "/api/v2/write?precision=ns", BodyPublishers.ofString(body), headers);
            if (answer.status() == 204) {
                return "";
            }
            if (answer.status() < 500 && answer.status() != 429) {
                throw CommandFailedException.refused(answer.from() + " refused a batch: " + answer.reason());
            }
            return answer.from() + " answered " + answer.status() + ": " + answer.reason();
        } catch (CommandFailedException e) {
            if (e.exitCode() == CommandFailedException.REFUSED) {
                throw e;
            }
            return e.getMessage();
        }
    }

    /** Points that were acknowledged so far. */
    Set<RowKey> acknowledged() {
        return acknowledged;
    }

    long batches() {
        return batches.get();
    }

    long retries() {
        return retries.get();
    }

    /** @throws CommandFailedException the writer had to give up */
    void requireGoing() {
        String words = failure;
        if (words != null) {
            throw CommandFailedException.refused(words);
        }
    }

    /** Ends after the batch at hand. */
    @Override
    public void close() throws InterruptedException {
        stopped = true;
        thread.join();
    }
}
