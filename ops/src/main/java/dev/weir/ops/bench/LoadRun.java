package dev.weir.ops.bench;

import dev.weir.ops.client.CommandFailedException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Sends prepared bodies by a number of clients, each with a connection of its own, spread over the nodes in turn. Without pauses between
 * (closed loop: the next when the last is acknowledged) or at fixed times (open loop: a late acknowledgement counts from when its body
 * was due). A body that is refused for now is sent again.
 */
final class LoadRun {
    private static final int TRIES_MAX = 1000;

    private final List<byte[]> bodies;
    private final Traffic traffic;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicLong again = new AtomicLong();
    private final AtomicLong firstSent = new AtomicLong(Long.MAX_VALUE);
    private final AtomicLong lastAcknowledged = new AtomicLong(Long.MIN_VALUE);
    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();

    /**
     * Who sends what where.
     *
     * @param interval between two bodies of all clients together; zero is the closed loop
     * @param observer told of each acknowledged body
     */
    record Traffic(
            List<URI> nodes,
            String path,
            Optional<String> token,
            Duration timeout,
            int clients,
            Duration interval,
            Observer observer) {}

    /** Hears of each body, from the threads that send. Times are of {@code System.nanoTime}. */
    interface Observer {
        void sending(int body, long dueNanos);

        void acknowledged(int body, long nanos);
    }

    /** What came of it. */
    record Outcome(Latencies acknowledged, double seconds, long sentAgain) {}

    LoadRun(List<byte[]> bodies, Traffic traffic) {
        this.bodies = bodies;
        this.traffic = traffic;
    }

    Outcome run() throws InterruptedException {
        List<Latencies> all = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        long start = System.nanoTime();
        for (int i = 0; i < traffic.clients(); i++) {
            Latencies own = new Latencies();
            all.add(own);
            URI node = traffic.nodes().get(i % traffic.nodes().size());
            threads.add(Thread.ofPlatform().name("client-" + i).start(() -> client(node, start, own)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        String failed = failure.get();
        if (failed != null) {
            throw CommandFailedException.refused(failed);
        }
        Latencies sum = new Latencies();
        all.forEach(sum::add);
        return new Outcome(sum, Math.max(lastAcknowledged.get() - firstSent.get(), 1) / 1e9, again.get());
    }

    private void client(URI node, long start, Latencies own) {
        try (RawConnection connection = new RawConnection(node, traffic.path(), traffic.token(), traffic.timeout())) {
            for (int body = next.getAndIncrement(); body < bodies.size(); body = next.getAndIncrement()) {
                long due = due(start, body);
                firstSent.accumulateAndGet(due, Math::min);
                traffic.observer().sending(body, due);
                send(connection, bodies.get(body), node);
                long now = System.nanoTime();
                lastAcknowledged.accumulateAndGet(now, Math::max);
                traffic.observer().acknowledged(body, now);
                own.record(now - due);
            }
        } catch (IOException | IllegalStateException e) {
            failure.compareAndSet(null, node + ": " + e.getMessage());
            next.set(bodies.size());
        }
    }

    private long due(long start, int body) {
        long interval = traffic.interval().toNanos();
        if (interval == 0) {
            return System.nanoTime();
        }
        long due = start + body * interval;
        for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
            LockSupport.parkNanos(wait);
        }
        return due;
    }

    private void send(RawConnection connection, byte[] body, URI node) throws IOException {
        for (int tries = 1; ; tries++) {
            int status = connection.post(body);
            if (status < 300) {
                return;
            }
            if ((status != 503 && status != 429 && status != 504) || tries == TRIES_MAX) {
                throw new IllegalStateException(
                        node + " answered " + status + " after " + tries + " tries; expected 204");
            }
            again.incrementAndGet();
            LockSupport.parkNanos(Duration.ofMillis(connection.retryAfterSeconds() > 0 ? 200 : 50)
                    .toNanos());
        }
    }
}
