package dev.weir.node.cluster;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for stages on threads that may block. */
final class Stages {
    private Stages() {}

    /** @throws CompletionException with the failure of the stage, or a {@link TimeoutException} */
    static <T> T get(CompletionStage<T> stage, long timeoutMs) throws InterruptedException {
        CompletableFuture<T> waiting = new CompletableFuture<>();
        stage.whenComplete((value, failure) -> {
            if (failure == null) {
                waiting.complete(value);
            } else {
                waiting.completeExceptionally(failure);
            }
        });
        try {
            return waiting.get(timeoutMs, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new CompletionException(cause(e));
        } catch (TimeoutException e) {
            throw new CompletionException("no answer within " + timeoutMs + " ms", e);
        }
    }

    static Throwable cause(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    static String message(Throwable failure) {
        Throwable cause = cause(failure);
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }
}
