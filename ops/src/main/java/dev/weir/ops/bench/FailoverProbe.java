package dev.weir.ops.bench;

import dev.weir.ops.client.CommandFailedException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Writes points of one series through the living nodes, a new request every few milliseconds, and takes the time of the first that is
 * acknowledged of those that were sent after a moment.
 */
final class FailoverProbe {
    private static final Duration EVERY = Duration.ofMillis(20);
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final String table;
    private final List<URI> nodes;
    private final Optional<String> token;
    private final AtomicLong number = new AtomicLong();

    FailoverProbe(String table, List<URI> nodes, Optional<String> token) {
        this.table = table;
        this.nodes = nodes;
        this.token = token;
    }

    /** Nanoseconds from now until a point that is sent from now on is acknowledged. */
    long untilAcknowledged() throws InterruptedException {
        long start = System.nanoTime();
        AtomicLong acknowledged = new AtomicLong(Long.MAX_VALUE);
        AtomicBoolean done = new AtomicBoolean();
        for (int i = 0; !done.get(); i++) {
            if (System.nanoTime() - start > LIMIT.toNanos()) {
                throw CommandFailedException.timedOut("no write was acknowledged for " + LIMIT.toSeconds() + " s");
            }
            URI node = nodes.get(i % nodes.size());
            Thread.ofVirtual().start(() -> {
                if (write(node)) {
                    acknowledged.accumulateAndGet(System.nanoTime(), Math::min);
                    done.set(true);
                }
            });
            LockSupport.parkNanos(EVERY.toNanos());
        }
        return acknowledged.get() - start;
    }

    /** Writes one point; true when it is acknowledged. */
    boolean write(URI node) {
        long now = System.currentTimeMillis() * 1_000_000L;
        String row =
                table + ",probe=one n=" + number.incrementAndGet() + "i " + (now + number.get() % 1_000_000) + "\n";
        try (RawConnection connection = new RawConnection(node, "/api/v2/write?precision=ns", token, PATIENCE)) {
            return connection.post(row.getBytes(StandardCharsets.UTF_8)) == 204;
        } catch (IOException e) {
            return false;
        }
    }
}
