package dev.weir.cdc;

import java.time.Duration;

/**
 * How far back one partition's log reaches for a subscription: to where the retention does, or, if that is further, its budget. Pure.
 *
 * @param bytesMax of log
 * @param ageMax of its oldest event
 */
record HistoryReach(long bytesMax, Duration ageMax) {
    /** The part of what is kept from which on it is dangerous to be behind. */
    static final double AT_RISK = 0.75;

    private static final double NANOS_OF_SECOND = 1e9;

    /** How much of it a place uses up: 1 and more may be gone with the next trim. */
    double used(long bytes, long ageNanos) {
        double byBytes = bytesMax == 0 ? Double.POSITIVE_INFINITY : (double) bytes / bytesMax;
        double byAge = ageMax.isZero()
                ? Double.POSITIVE_INFINITY
                : ageNanos / NANOS_OF_SECOND / Math.max(1, ageMax.toSeconds());
        return Math.max(byBytes, byAge);
    }

    /** Seconds until the place is out of reach, if the log goes on growing as it did since; an estimate. */
    double secondsLeft(long bytes, long ageNanos) {
        double used = used(bytes, ageNanos);
        double age = Math.max(1, ageNanos) / NANOS_OF_SECOND;
        double byAge = ageMax.toSeconds() - age;
        double byBytes = bytes == 0 ? Double.POSITIVE_INFINITY : age * ((double) bytesMax / bytes - 1);
        return used >= 1 ? 0 : Math.min(byAge, byBytes);
    }
}
