package dev.weir.node.ingest;

import dev.weir.partition.model.RefusedException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Waits for answers on virtual threads; a refusal comes as itself. */
public final class Awaiting {
    private Awaiting() {}

    /** @throws RefusedException that was the answer */
    public static <T> T await(CompletionStage<T> answer) {
        try {
            return answer.toCompletableFuture().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RefusedException refused ? refused : e;
        }
    }
}
