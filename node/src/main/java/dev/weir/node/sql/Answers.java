package dev.weir.node.sql;

import dev.weir.partition.model.RefusedException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Waits for answers on virtual threads; a refusal comes as itself. */
final class Answers {
    private Answers() {}

    /** @throws RefusedException that was the answer */
    static <T> T await(CompletionStage<T> answer) {
        try {
            return answer.toCompletableFuture().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RefusedException refused ? refused : e;
        }
    }
}
