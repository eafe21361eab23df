package dev.weir.node.cluster;

import dev.weir.wal.LogGroupId;

/**
 * A start that came through: the catalog has this node and its incarnation, so partitions may open.
 *
 * @param incarnation of this process; with the node's id it names batches inside the cluster
 */
public record Booted(LogGroupId catalogGroup, String clusterId, long incarnation) {}
