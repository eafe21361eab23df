package dev.weir.wal.ratis;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** When a failed log is tried again: soon, then less and less often; after a full disk not before there is space. */
final class ReopenPlan {
    private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long STEADY_NANOS = TimeUnit.SECONDS.toNanos(60);

    private @Nullable Throwable failure;
    private long dueNanos;
    private int tries;

    synchronized @Nullable Throwable failure() {
        return failure;
    }

    synchronized void failed(Throwable cause, long nowNanos) {
        failure = cause;
        dueNanos = nowNanos + Math.min(LONGEST_NANOS, FIRST_NANOS << Math.min(tries, 10));
        tries++;
    }

    synchronized boolean due(long nowNanos) {
        return failure != null && nowNanos - dueNanos >= 0;
    }

    /** False while the disk is full; asked again shortly. */
    synchronized boolean mayOpen(long nowNanos, FreeSpace freeSpace) {
        if (FreeSpace.isDiskFull(failure) && !freeSpace.fitsLogFile()) {
            dueNanos = nowNanos + FIRST_NANOS;
            return false;
        }
        return true;
    }

    synchronized void opened() {
        failure = null;
    }

    /** The log works; after a minute of it the next failure counts as the first. */
    synchronized void runs(long nowNanos) {
        if (tries > 0 && nowNanos - dueNanos > STEADY_NANOS) {
            tries = 0;
        }
    }
}
