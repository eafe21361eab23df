package dev.weir.wal.ratis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Runs tasks one after the other, each on a thread of the given executor. A task may block. */
final class SerialTasks {
    /** A task that may fail. */
    interface Task {
        void run() throws Exception;
    }

    private final Executor executor;
    /** The end of the chain, which never fails. Guarded by this. */
    private CompletableFuture<@Nullable Void> last = CompletableFuture.completedFuture(null);

    SerialTasks(Executor executor) {
        this.executor = executor;
    }

    synchronized CompletableFuture<Void> run(Task task) {
        CompletableFuture<Void> result = new CompletableFuture<>();
        last = last.thenRunAsync(() -> complete(task, result), executor);
        return result;
    }

    private static void complete(Task task, CompletableFuture<Void> result) {
        try {
            task.run();
            result.complete(null);
        } catch (Throwable t) {
            result.completeExceptionally(t);
        }
    }
}
