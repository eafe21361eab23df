package dev.weir.node.server;

import dev.weir.partition.catalog.Catalog;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
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
    private final Counter shown;
    private final Counter questions;
    private long secondNanos = System.nanoTime();
    private int asked;

    NewTokens(Catalog catalog, MeterRegistry metrics) {
        this.catalog = catalog;
        this.shown = Counter.builder("weir_auth_unknown_tokens")
                .description("requests with a token that this node did not know")
                .register(metrics);
        this.questions = Counter.builder("weir_auth_catalog_asked")
                .description("of those, times that the catalog was asked whether it knows the token")
                .register(metrics);
        Gauge.builder("weir_auth_catalog_asked_per_second_limit", () -> ASKED_PER_SECOND_MAX)
                .description("fixed; further unknown tokens are refused unasked")
                .register(metrics);
    }

    /** Completes, never with an error, when the catalog here is as new as this call; or when that takes too long, or was asked for too often. */
    CompletionStage<Void> caughtUp() {
        shown.increment();
        if (!mayAsk(System.nanoTime())) {
            return CompletableFuture.completedFuture(null);
        }
        questions.increment();
        return catalog.linearize()
                .toCompletableFuture()
                .copy()
                .completeOnTimeout(null, WAIT_MS_MAX, TimeUnit.MILLISECONDS)
                .exceptionally(noQuorum -> null);
    }

    private synchronized boolean mayAsk(long nowNanos) {
        if (nowNanos - secondNanos >= SECOND_NANOS) {
            secondNanos = nowNanos;
            asked = 0;
        }
        return asked++ < ASKED_PER_SECOND_MAX;
    }
}
