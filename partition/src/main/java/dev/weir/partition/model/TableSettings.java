package dev.weir.partition.model;

import java.time.Duration;

/**
 * What a table is set to beside its columns.
 *
 * @param retention how long rows are kept, by their time, in whole seconds; zero: for good
 * @param timeUnitNanos what an integer in {@code time} of an INSERT counts: 1, a thousand, a million or a billion nanoseconds
 * @param published as what others can read it
 */
public record TableSettings(Duration retention, long timeUnitNanos, Publication published) {
    /** Further back than any time that a point can have. */
    public static final Duration RETENTION_MAX = Duration.ofDays(366 * 600);

    public static final TableSettings DEFAULTS = new TableSettings(Duration.ZERO, 1, Publication.NONE);

    private static final long NANOS_OF_SECOND = 1_000_000_000;

    public TableSettings {
        if (retention.isNegative()
                || retention.compareTo(RETENTION_MAX) > 0
                || !Duration.ofSeconds(retention.toSeconds()).equals(retention)) {
            throw new IllegalArgumentException("retention " + retention + ", expected whole seconds, up to "
                    + RETENTION_MAX.toDays() + " days, or none");
        }
        if (timeUnitNanos != 1
                && timeUnitNanos != 1_000
                && timeUnitNanos != 1_000_000
                && timeUnitNanos != 1_000_000_000) {
            throw new IllegalArgumentException(
                    "time unit of " + timeUnitNanos + " ns, expected 1, 1000, 1000000 or 1000000000");
        }
    }

    /** Whether rows go when they are too old. */
    public boolean expires() {
        return !retention.isZero();
    }

    /**
     * The time of the oldest row that is kept; {@link Long#MIN_VALUE} where all are.
     *
     * @param nowNanos ns since 1970
     */
    public long oldestKeptNanos(long nowNanos) {
        long seconds = retention.toSeconds();
        if (seconds == 0 || seconds > Long.MAX_VALUE / NANOS_OF_SECOND) {
            return Long.MIN_VALUE;
        }
        long oldest = nowNanos - seconds * NANOS_OF_SECOND;
        return oldest > nowNanos ? Long.MIN_VALUE : oldest;
    }

    /** The retention as a statement has it, in the largest unit that is exact. */
    public String retentionText() {
        long seconds = retention.toSeconds();
        if (seconds % 86_400 == 0) {
            return seconds / 86_400 + "d";
        }
        if (seconds % 3_600 == 0) {
            return seconds / 3_600 + "h";
        }
        return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
    }
}
