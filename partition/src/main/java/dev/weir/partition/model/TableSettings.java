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
}
