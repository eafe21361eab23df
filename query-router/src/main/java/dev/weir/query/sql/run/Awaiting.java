package dev.weir.query.sql.run;

import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.RefusedException;
import dev.weir.query.sql.gate.SqlRefusedException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/** Waits for a port's answer, but not longer than somebody waits for the statement. */
final class Awaiting {
    private Awaiting() {}

    /** @param late what becomes of an answer that comes when nobody waits any more */
    static <T> T answer(CompletionStage<T> stage, Cancellation cancellation, Consumer<T> late) {
        CompletableFuture<T> asked = stage.toCompletableFuture();
        CompletableFuture<Void> canceled = new CompletableFuture<>();
        cancellation.onCancel(() -> canceled.complete(null));
        try {
            CompletableFuture.anyOf(asked, canceled).get();
            if (!asked.isDone()) {
                asked.thenAccept(late);
                throw canceled();
            }
            return asked.get();
        } catch (ExecutionException e) {
            if (cancellation.isCanceled()) {
                throw canceled();
            }
            if (e.getCause() instanceof RefusedException refused) {
                throw refused;
            }
            if (e.getCause() instanceof SqlRefusedException refused) {
                throw refused;
            }
            throw new IllegalStateException("a part of the statement failed: " + e.getCause(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw SqlRefusedException.nowhere(ErrorCode.OVERLOADED, "the node is stopping");
        }
    }

    static SqlRefusedException canceled() {
        return SqlRefusedException.nowhere(ErrorCode.CANCELED, "canceled");
    }
}
