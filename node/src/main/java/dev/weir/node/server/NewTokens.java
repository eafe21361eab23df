package dev.weir.node.server;

import dev.weir.partition.catalog.Catalog;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Catches up with the catalog for callers who show a token that is not known here: it may have been made at another node a moment ago. Asks the catalog's leader, so often in a
 * second at most, as anyone may show anything. Any thread.
 */
final class NewTokens {
    static final int ASKED_PER_SECOND_MAX = 20;
    private static final long WAIT_MS_MAX = 1_000;
    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Catalog catalog;
    private long secondNanos = System.nanoTime();
    private int asked;

    NewTokens(Catalog catalog) {
        this.catalog = catalog;
    }

    /** Completes, never with an error, when the catalog here is as new as this call; or when that takes too long, or was asked for too often. */
    CompletionStage<Void> caughtUp() {
        return mayAsk(System.nanoTime())
                ? catalog.linearize()
                        .toCompletableFuture()
                        .copy()
                        .completeOnTimeout(null, WAIT_MS_MAX, TimeUnit.MILLISECONDS)
                        .exceptionally(noQuorum -> null)
                : CompletableFuture.completedFuture(null);
    }

    private synchronized boolean mayAsk(long nowNanos) {
        if (nowNanos - secondNanos >= SECOND_NANOS) {
            secondNanos = nowNanos;
            asked = 0;
        }
        return asked++ < ASKED_PER_SECOND_MAX;
    }
}
