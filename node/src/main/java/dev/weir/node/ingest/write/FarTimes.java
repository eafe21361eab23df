package dev.weir.node.ingest.write;

/** Counts the times that lie more than a year from now: mostly the sign of a wrong precision. Used by one thread. */
public final class FarTimes {
    private static final long YEAR_NANOS = 366L * 24 * 3600 * 1_000_000_000L;

    private final long earliest;
    private final long latest;
    private int count;
    private int firstLine;
    private long firstNanos;

    FarTimes(long nowNanos) {
        earliest = nowNanos - YEAR_NANOS;
        latest = nowNanos + YEAR_NANOS;
    }

    void see(long timestampNanos, int line) {
        if (timestampNanos < earliest || timestampNanos > latest) {
            if (count++ == 0) {
                firstLine = line;
                firstNanos = timestampNanos;
            }
        }
    }

    public int count() {
        return count;
    }

    public int firstLine() {
        return firstLine;
    }

    public long firstNanos() {
        return firstNanos;
    }
}
