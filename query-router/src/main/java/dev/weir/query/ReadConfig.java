package dev.weir.query;

import java.time.Duration;

/**
 * The keys {@code read.*}.
 *
 * @param seriesMax {@code read.series-max}: series that one answer may have
 * @param concurrentMax {@code read.concurrent-max}: reads that this node answers at once; more get 503
 * @param timeout {@code read.timeout}: for all partitions to answer
 */
public record ReadConfig(int seriesMax, int concurrentMax, Duration timeout) {
    public ReadConfig {
        if (seriesMax < 1) {
            throw new IllegalArgumentException("read.series-max: expected at least 1, found " + seriesMax);
        }
        if (concurrentMax < 1) {
            throw new IllegalArgumentException("read.concurrent-max: expected at least 1, found " + concurrentMax);
        }
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("read.timeout: expected a positive duration, found " + timeout);
        }
    }

    public static ReadConfig defaults() {
        return new ReadConfig(100_000, 64, Duration.ofSeconds(10));
    }
}
