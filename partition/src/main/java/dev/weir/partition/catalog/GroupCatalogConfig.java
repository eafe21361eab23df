package dev.weir.partition.catalog;

import java.time.Duration;

/**
 * How a node asks the catalog's leader.
 *
 * @param nodeId this node
 * @param deadline after which a proposal or a linearizable read is refused with NO_QUORUM
 * @param attemptTimeout after which one node that does not answer is given up and the next one asked
 * @param pending proposals that may wait at once, then OVERLOADED
 * @param limits sent with each change of schema
 */
public record GroupCatalogConfig(
        String nodeId, Duration deadline, Duration attemptTimeout, int pending, CatalogLimits limits) {
    public GroupCatalogConfig {
        if (deadline.compareTo(attemptTimeout) < 0 || attemptTimeout.isNegative() || pending < 1) {
            throw new IllegalArgumentException("deadline " + deadline + ", attempt time-out " + attemptTimeout
                    + ", pending " + pending + ": expected deadline >= time-out >= 0 and pending >= 1");
        }
    }

    public static GroupCatalogConfig defaults(String nodeId) {
        return new GroupCatalogConfig(
                nodeId, Duration.ofSeconds(5), Duration.ofSeconds(2), 1_024, CatalogLimits.DEFAULTS);
    }
}
