package dev.weir.node.server;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets the resolved time of a quiet partition move on for those who ask: an entry without events in the log, one at a time, and only where the time is older
 * than they want. While nobody asks there is none. Threading: any; does not block.
 */
final class Ticks {
    private final LongSupplier resolvedAtNanos;
    private final Supplier<CompletionStage<Void>> tick;
    private final InstantSource clock;
    private @Nullable CompletableFuture<Void> running;

    /**
     * @param resolvedAtNanos of the partition, as of what is applied here
     * @param tick appends such an entry; completes when it is applied here
     */
    Ticks(LongSupplier resolvedAtNanos, Supplier<CompletionStage<Void>> tick, InstantSource clock) {
        this.resolvedAtNanos = resolvedAtNanos;
        this.tick = tick;
        this.clock = clock;
    }

    /** Completes with the resolved time, once it is no older than that by this node's clock. */
    CompletionStage<Long> resolve(Duration age) {
        return isYounger(age)
                ? CompletableFuture.completedFuture(resolvedAtNanos.getAsLong())
                : running().thenApply(done -> resolvedAtNanos.getAsLong());
    }

    private boolean isYounger(Duration age) {
        Instant now = clock.instant();
        long nanos = now.getEpochSecond() * 1_000_000_000L + now.getNano();
        return nanos - resolvedAtNanos.getAsLong() < age.toNanos();
    }

    private synchronized CompletionStage<Void> running() {
        CompletableFuture<Void> now = running;
        if (now == null || now.isDone()) {
            now = tick.get().toCompletableFuture();
            running = now;
        }
        return now;
    }
}
