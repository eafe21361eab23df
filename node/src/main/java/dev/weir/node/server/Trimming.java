package dev.weir.node.server;

import java.io.IOException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets the history of one partition go, a trim at a time: what each took is told once, however many want to trim. Any thread; blocks on disk and log.
 */
final class Trimming {
    private final LongSupplier oldestSeq;
    private final LongFunction<CompletionStage<Void>> trim;
    /** Held from the plan until the entry was applied, or not: a second one would find the same history, and count it as lost again. */
    private final ReentrantLock one = new ReentrantLock();

    /** Finds before which seq history may go. */
    interface Plan {
        long seq() throws IOException;
    }

    /** Is told how a trim went. */
    interface Outcome {
        /** @param failure why the log did not take it; null: it did */
        void trimmed(long oldestSeq, long seq, @Nullable Throwable failure);
    }

    /**
     * @param oldestSeq of the history now
     * @param trim lets history go before a seq
     */
    Trimming(LongSupplier oldestSeq, LongFunction<CompletionStage<Void>> trim) {
        this.oldestSeq = oldestSeq;
        this.trim = trim;
    }

    /** Returns before which seq history may go by now, whether or not the log took it. */
    long letGo(Plan plan, Outcome outcome) throws IOException {
        one.lock();
        try {
            long seq = plan.seq();
            long oldest = oldestSeq.getAsLong();
            if (seq > oldest) {
                trim.apply(seq)
                        .handle((done, failure) -> {
                            outcome.trimmed(oldest, seq, failure);
                            return seq;
                        })
                        .toCompletableFuture()
                        .join();
            }
            return seq;
        } finally {
            one.unlock();
        }
    }

    /** Whether somebody lets history go now. */
    boolean isUnderWay() {
        return one.isLocked();
    }
}
