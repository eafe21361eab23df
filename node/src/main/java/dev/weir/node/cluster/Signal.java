package dev.weir.node.cluster;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Wakes one waiting loop. A signal that comes while nobody waits is kept, any number of them as one. */
final class Signal {
    /** Guards {@link #raised}: raised by callbacks of any thread, taken by the loop. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition changed = lock.newCondition();
    private boolean raised;

    void raise() {
        lock.lock();
        try {
            raised = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns when raised, or when the time is over. */
    void await(Duration atMost) throws InterruptedException {
        lock.lock();
        try {
            long rest = atMost.toNanos();
            while (!raised && rest > 0) {
                rest = changed.awaitNanos(rest);
            }
            raised = false;
        } finally {
            lock.unlock();
        }
    }
}
