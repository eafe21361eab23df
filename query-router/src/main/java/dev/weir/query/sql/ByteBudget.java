package dev.weir.query.sql;

/** Bytes on their way to one client. A seat's thread waits in it; the event loop gives back and never waits. */
final class ByteBudget {
    private final int max;
    private int out;
    private boolean closed;

    ByteBudget(int max) {
        this.max = max;
    }

    // The monitor guards the two counters that both threads change.
    /** Waits until the bytes fit, or nothing is out (one piece may be larger than all); false when closed. */
    synchronized boolean acquire(int bytes) {
        boolean interrupted = false;
        while (!closed && out > 0 && out + bytes > max) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
                closed = true;
            }
        }
        out += bytes;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !closed;
    }

    synchronized void release(int bytes) {
        out -= bytes;
        notifyAll();
    }

    synchronized void close() {
        closed = true;
        notifyAll();
    }

    synchronized int out() {
        return out;
    }
}
