package dev.weir.cdc;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Wakes one waiting thread; raising it while no one waits is remembered, and many raises are one. Raising never blocks. */
final class Signal {
    private final AtomicBoolean raised = new AtomicBoolean();
    private volatile @Nullable Thread waiter;

    void raise() {
        if (!raised.getAndSet(true)) {
            Thread thread = waiter;
            if (thread != null) {
                LockSupport.unpark(thread);
            }
        }
    }

    /** Returns when raised or at that time ({@link System#nanoTime}); called by one thread only. An interrupt is kept for later. */
    void await(long deadline) {
        Thread self = Thread.currentThread();
        waiter = self;
        boolean interrupted = false;
        while (!raised.getAndSet(false)) {
            long rest = deadline - System.nanoTime();
            if (rest <= 0) {
                break;
            }
            LockSupport.parkNanos(this, rest);
            // While this is set a thread does not park at all.
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            self.interrupt();
        }
    }
}
