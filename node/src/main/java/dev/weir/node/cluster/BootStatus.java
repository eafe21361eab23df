package dev.weir.node.cluster;

/**
 * How far a start has come, for {@code /health/ready}.
 *
 * @param text in words, with what is waited for
 */
public record BootStatus(Phase phase, String text) {
    /** In the order in which a start goes through them; {@code CLOSED} instead of {@code OPEN} where the node must not serve. */
    public enum Phase {
        STARTING,
        FINDING_CLUSTER,
        CATALOG,
        CONFIRMING,
        OPEN,
        CLOSED
    }

    /** The catalog's image has this node; partitions may open. */
    public boolean open() {
        return phase == Phase.OPEN;
    }
}
