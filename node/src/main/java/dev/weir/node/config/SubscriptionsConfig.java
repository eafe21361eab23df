package dev.weir.node.config;

import java.time.Duration;

/**
 * Limits of named subscriptions.
 *
 * @param perTenant how many a tenant may have
 * @param memberTimeout after which a member of a group that is not there loses its partitions
 * @param heldBytesMax log of a partition, beyond which no budget of a subscription counts
 */
public record SubscriptionsConfig(int perTenant, Duration memberTimeout, long heldBytesMax) {
    public SubscriptionsConfig {
        if (memberTimeout.toMillis() < 2_000) {
            throw new ConfigException(
                    "cdc.member-timeout: expected at least 2s, found " + memberTimeout.toMillis() + "ms");
        }
    }

    static SubscriptionsConfig of(Settings settings) {
        return new SubscriptionsConfig(
                settings.count("limits.subscriptions-per-tenant"),
                settings.duration("cdc.member-timeout"),
                settings.bytes("retention.held-bytes"));
    }
}
