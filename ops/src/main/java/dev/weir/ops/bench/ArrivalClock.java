package dev.weir.ops.bench;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Knows when the last event came to any subscriber, so that the end of a backlog can be told. */
final class ArrivalClock implements Subscriptions.Listener {
    private static final long REST_NANOS = Duration.ofSeconds(3).toNanos();

    private final AtomicLong lastNanos = new AtomicLong(System.nanoTime());

    @Override
    public void event(int subscriber, byte[] line, int length) {
        arrived();
    }

    void arrived() {
        lastNanos.lazySet(System.nanoTime());
    }

    boolean hasComeToRest() {
        return System.nanoTime() - lastNanos.get() > REST_NANOS;
    }

    long lastNanos() {
        return lastNanos.get();
    }
}
