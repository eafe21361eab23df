package dev.weir.partition.store;

import java.time.Duration;

/**
 * How long a call goes on trying. Delays double from the first to the longest, each multiplied by a random factor between a half and one.
 *
 * @param budget {@code store.retry-budget}: from the first try on; no try begins later
 * @param delayFirst before the second try
 * @param delayMax {@code store.retry-delay-max}: no delay is longer
 * @param requestTimeout {@code store.request-timeout}: one request, body included; then it counts as failed and is tried again
 */
public record RetryConfig(Duration budget, Duration delayFirst, Duration delayMax, Duration requestTimeout) {
    public static final RetryConfig DEFAULT = new RetryConfig(
            Duration.ofMinutes(10), Duration.ofMillis(100), Duration.ofMinutes(1), Duration.ofMinutes(1));

    public RetryConfig {
        if (budget.isNegative() || delayFirst.isNegative() || delayMax.compareTo(delayFirst) < 0) {
            throw new IllegalArgumentException(
                    "store retries: expected 0 <= budget and 0 <= first delay <= longest, found " + budget + ", "
                            + delayFirst + ", " + delayMax);
        }
        if (requestTimeout.toMillis() < 1 || requestTimeout.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException("store.request-timeout: expected 1 ms to 1 h, found " + requestTimeout);
        }
    }

    /** The same with another budget: short for a query, long for a flush. */
    public RetryConfig withBudget(Duration other) {
        return new RetryConfig(other, delayFirst, delayMax, requestTimeout);
    }
}
