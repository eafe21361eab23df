package dev.weir.cdc;

import java.time.Clock;
import java.time.Instant;

/** Times as the log has them: nanoseconds since 1970. */
final class Clocks {
    private static final long NANOS_OF_SECOND = 1_000_000_000L;

    private Clocks() {}

    static long nanos(Clock clock) {
        return nanos(clock.instant());
    }

    /** @throws ArithmeticException before 1677 or after 2262 */
    static long nanos(Instant time) {
        return Math.addExact(Math.multiplyExact(time.getEpochSecond(), NANOS_OF_SECOND), time.getNano());
    }

    static Instant instant(long nanos) {
        return Instant.ofEpochSecond(Math.floorDiv(nanos, NANOS_OF_SECOND), Math.floorMod(nanos, NANOS_OF_SECOND));
    }
}
