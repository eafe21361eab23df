package dev.weir.query.sql.image;

/** Nanoseconds since 1970 in UTC, both ends included. Empty where {@code fromNanos > toNanos}. */
public record TimeRange(long fromNanos, long toNanos) {
    public static final TimeRange ALL = new TimeRange(Long.MIN_VALUE, Long.MAX_VALUE);

    public boolean isEmpty() {
        return fromNanos > toNanos;
    }

    public TimeRange and(TimeRange other) {
        return new TimeRange(Math.max(fromNanos, other.fromNanos), Math.min(toNanos, other.toNanos));
    }

    /** The smallest range that holds both. */
    public TimeRange or(TimeRange other) {
        if (isEmpty()) {
            return other;
        }
        return other.isEmpty()
                ? this
                : new TimeRange(Math.min(fromNanos, other.fromNanos), Math.max(toNanos, other.toNanos));
    }
}
