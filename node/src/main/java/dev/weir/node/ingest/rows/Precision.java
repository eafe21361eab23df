package dev.weir.node.ingest.rows;

import java.util.Optional;

/** The unit of a body's integer timestamps. */
public enum Precision {
    NANOSECONDS(1L),
    MICROSECONDS(1_000L),
    MILLISECONDS(1_000_000L),
    SECONDS(1_000_000_000L),
    MINUTES(60_000_000_000L),
    HOURS(3_600_000_000_000L);

    /** The smallest and largest time that a point can have, as Influx has them. */
    public static final long TIME_MIN_NANOS = Long.MIN_VALUE + 2;

    public static final long TIME_MAX_NANOS = Long.MAX_VALUE - 1;

    private final long nanos;

    Precision(long nanos) {
        this.nanos = nanos;
    }

    /** Nanoseconds in one unit. */
    public long nanos() {
        return nanos;
    }

    /** Whether a count of this unit lies within the range of times. */
    public boolean covers(long count) {
        long scaled = count * nanos;
        return Math.multiplyHigh(count, nanos) == scaled >> 63 && scaled >= TIME_MIN_NANOS && scaled <= TIME_MAX_NANOS;
    }

    /** By the names of Influx's v1 and v2 parameters. */
    public static Optional<Precision> of(String name) {
        return switch (name) {
            case "ns", "n" -> Optional.of(NANOSECONDS);
            case "us", "u", "µ", "µs" -> Optional.of(MICROSECONDS);
            case "ms" -> Optional.of(MILLISECONDS);
            case "s" -> Optional.of(SECONDS);
            case "m" -> Optional.of(MINUTES);
            case "h" -> Optional.of(HOURS);
            default -> Optional.empty();
        };
    }
}
