package dev.weir.ops.local;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for something outside of this process, by asking again and again. */
public final class Waiting {
    private static final Duration STEP = Duration.ofMillis(50);

    private Waiting() {}

    /** True as soon as the condition holds, false when the time is up or the thread was interrupted. */
    public static boolean until(Duration limit, BooleanSupplier condition) {
        long end = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end >= 0 || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(STEP.toNanos());
        }
        return true;
    }
}
