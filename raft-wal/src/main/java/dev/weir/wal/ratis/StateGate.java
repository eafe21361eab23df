package dev.weir.wal.ratis;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets one call at a time at a replica's state, and none while a snapshot is fetched.
 *
 * <pre>
 * OPEN ──install──► INSTALLING ──done──► REPLACED ──restored──► OPEN
 *                       └──────failed──► OPEN
 * any ──shut──► SHUT
 * </pre>
 *
 * In INSTALLING an entry waits: if the fetch fails, it must still be applied. In REPLACED and SHUT it is passed over: the new snapshot
 * covers it, or it will be read again from the log.
 */
final class StateGate {
    enum Mode {
        OPEN,
        INSTALLING,
        REPLACED,
        SHUT
    }

    /** Guards the state; held during each call of it. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition changed = lock.newCondition();
    private volatile Mode mode = Mode.OPEN;

    Mode mode() {
        return mode;
    }

    /** Enters to apply or to snapshot; false: pass over. After true, {@link #leave} must be called. */
    boolean enter() {
        boolean entered = false;
        lock.lock();
        try {
            while (mode == Mode.INSTALLING) {
                changed.awaitUninterruptibly();
            }
            entered = mode == Mode.OPEN;
            return entered;
        } finally {
            if (!entered) {
                lock.unlock();
            }
        }
    }

    /** Enters to restore or to close, in any mode. */
    void enterAnyway() {
        lock.lock();
    }

    void leave() {
        lock.unlock();
    }

    /** From now on nobody applies; returns when the one who did has left. False if the gate was not open. */
    boolean beginInstall() {
        lock.lock();
        try {
            if (mode != Mode.OPEN) {
                return false;
            }
            mode = Mode.INSTALLING;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** The fetch is over; true if its result counts. */
    boolean endInstall(boolean installed) {
        return move(Mode.INSTALLING, installed ? Mode.REPLACED : Mode.OPEN);
    }

    /** The state was loaded anew. */
    void restored() {
        move(Mode.REPLACED, Mode.OPEN);
    }

    void shut() {
        lock.lock();
        try {
            mode = Mode.SHUT;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean move(Mode from, Mode to) {
        lock.lock();
        try {
            if (mode != from) {
                return false;
            }
            mode = to;
            changed.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }
}
