package dev.weir.docker;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/** How long a reader is away after a crash. */
final class Absence {
    static final Absence SHORT = new Absence(() -> 0, 0);

    private static final Duration STEP = Duration.ofMillis(300);
    /** Where nobody writes any more. */
    private static final Duration MOST = Duration.ofSeconds(5);

    private final IntSupplier acknowledged;
    private final int rows;

    private Absence(IntSupplier acknowledged, int rows) {
        this.acknowledged = acknowledged;
        this.rows = rows;
    }

    /**
     * Until so much was written that in some partition more waits than a queue holds, however the rows are spread.
     *
     * @param acknowledged rows so far
     */
    static Absence overflowing(IntSupplier acknowledged, int partitions, int queueEvents) {
        return new Absence(acknowledged, partitions * queueEvents + 1);
    }

    void pass(BooleanSupplier closed) {
        int before = acknowledged.getAsInt();
        long end = System.nanoTime() + MOST.toNanos();
        do {
            LockSupport.parkNanos(STEP.toNanos());
        } while (acknowledged.getAsInt() - before < rows && System.nanoTime() - end < 0 && !closed.getAsBoolean());
    }
}
