package dev.weir.cdc;

import java.time.Duration;

/**
 * Limits of named subscriptions.
 *
 * @param perTenantMax {@code limits.subscriptions-per-tenant}
 * @param commitInterval fixed, no key: a node commits acknowledgements of one subscription so far apart at least
 * @param waitingMax fixed, no key: acknowledgements that wait on this node to be committed; more get 503
 * @param memberTimeout {@code cdc.member-timeout}: after which a member of a group that is not there loses its partitions
 * @param membersMax fixed, no key: members of one group
 * @param history how much log there is for them
 */
public record SubscriptionConfig(
        int perTenantMax,
        Duration commitInterval,
        int waitingMax,
        Duration memberTimeout,
        int membersMax,
        HistoryLimits history) {
    private static final Duration COMMIT_INTERVAL = Duration.ofSeconds(1);
    private static final int WAITING_MAX = 10_000;
    private static final int MEMBERS_MAX = 256;

    public SubscriptionConfig {
        if (perTenantMax < 1 || waitingMax < 1 || commitInterval.isNegative()) {
            throw new IllegalArgumentException("limits.subscriptions-per-tenant, acknowledgements waiting: expected at"
                    + " least 1, found " + perTenantMax + ", " + waitingMax + "; interval " + commitInterval);
        }
    }

    public static SubscriptionConfig of(int perTenantMax, Duration memberTimeout, HistoryLimits history) {
        return new SubscriptionConfig(perTenantMax, COMMIT_INTERVAL, WAITING_MAX, memberTimeout, MEMBERS_MAX, history);
    }
}
