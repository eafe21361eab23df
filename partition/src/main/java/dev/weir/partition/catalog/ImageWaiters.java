package dev.weir.partition.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Futures that wait for the local image to reach a version. Called from any thread; bounded by who waits. */
final class ImageWaiters {
    private record Waiter(long version, CompletableFuture<Void> future) {}

    /** Guarded by this: proposals add from their threads, the apply thread takes. */
    private final List<Waiter> waiting = new ArrayList<>();

    private long reached;

    CompletableFuture<Void> reach(long version) {
        CompletableFuture<Void> future = new CompletableFuture<>();
        synchronized (this) {
            if (reached < version) {
                waiting.add(new Waiter(version, future));
                return future;
            }
        }
        future.complete(null);
        return future;
    }

    void reached(long version) {
        List<Waiter> ready = new ArrayList<>();
        synchronized (this) {
            reached = Math.max(reached, version);
            waiting.removeIf(waiter -> {
                boolean due = waiter.version <= reached || waiter.future.isDone();
                if (due) {
                    ready.add(waiter);
                }
                return due;
            });
        }
        ready.forEach(waiter -> waiter.future.complete(null));
    }
}
