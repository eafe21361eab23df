package dev.weir.partition.catalog;

import java.time.Duration;

/**
 * How much log beyond the retention is held for a subscription that is behind. Both must hold; zero of either means none.
 *
 * @param bytes over all its partitions, each of which gets an equal share
 * @param age of the oldest event held, in whole seconds
 */
public record SubscriptionBudget(long bytes, Duration age) {
    /** Nothing beyond the retention. */
    public static final SubscriptionBudget NONE = new SubscriptionBudget(0, Duration.ZERO);

    /** Bytes that each of so many partitions may hold. */
    public long share(int partitions) {
        return bytes / Math.max(1, partitions);
    }

    public SubscriptionBudget {
        if (bytes < 0 || age.isNegative() || age.toNanosPart() != 0) {
            throw new IllegalArgumentException(
                    "budget: expected bytes of at least 0 and an age of whole seconds, found " + bytes + " and " + age);
        }
    }
}
