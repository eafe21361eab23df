package dev.weir.partition.engine;

import java.util.concurrent.TimeUnit;

/**
 * How long small requests gather before the next entry: not at all while appends are quick; the slower they get, the longer. An append costs
 * every replica a sync and every node some work, whatever its size, so fewer and larger ones are what a busy cluster needs.
 *
 * <p>Only requests that found company wait: a client that writes one after another never does. Not thread-safe: its owner holds a lock.
 */
final class GatherPace {
    /** Appends up to this long are those of a cluster with time to spare. */
    static final long CALM_NANOS = TimeUnit.MILLISECONDS.toNanos(3);
    /** The longest that a request waits for company. */
    static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private long nextNanos;
    private boolean paced;

    /**
     * An append was answered.
     *
     * @param roundTripNanos how long it took
     * @param othersWait requests came meanwhile and wait
     */
    void answered(long nowNanos, long roundTripNanos, boolean othersWait) {
        long wait = Math.min(LONGEST_NANOS, roundTripNanos - CALM_NANOS);
        paced = othersWait && wait > 0;
        nextNanos = nowNanos + wait;
    }

    /** How long the next entry should wait, in nanoseconds; 0 if it should go. */
    long delay(long nowNanos) {
        return paced ? Math.max(0, nextNanos - nowNanos) : 0;
    }
}
