package dev.weir.cdc;

/**
 * How far a walk has come that reads again what was taken before. A try that fails begins anew, and counts only from where the furthest one has come. It begins in the
 * partition in which the one before has ended: those before it are through. One thread, but {@link #batches}.
 */
final class LookedAt {
    private int partition = -1;
    private long before;
    private long now;
    private volatile long furthest;

    /** A try begins at the partition's first batch. */
    void begin(int of) {
        if (of != partition) {
            partition = of;
            before = furthest;
        }
        now = before;
    }

    void batch() {
        now++;
        furthest = Math.max(furthest, now);
    }

    /** Only rises. Any thread. */
    long batches() {
        return furthest;
    }
}
