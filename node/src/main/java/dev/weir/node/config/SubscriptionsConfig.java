package dev.weir.node.config;

/**
 * Limits of named subscriptions.
 *
 * @param perTenant how many a tenant may have
 * @param heldBytesMax log of a partition, beyond which no budget of a subscription counts
 */
public record SubscriptionsConfig(int perTenant, long heldBytesMax) {
    static SubscriptionsConfig of(Settings settings) {
        return new SubscriptionsConfig(
                settings.count("limits.subscriptions-per-tenant"), settings.bytes("retention.held-bytes"));
    }
}
