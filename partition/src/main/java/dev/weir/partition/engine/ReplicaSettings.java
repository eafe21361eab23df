package dev.weir.partition.engine;

import dev.weir.wal.segment.SegmentConfig;

/**
 * How a replica runs.
 *
 * @param segments how change segments are cut; equal on all nodes of a cluster
 * @param recentBytes encoded bytes of the newest records kept in memory for readers
 */
public record ReplicaSettings(SegmentConfig segments, int recentBytes) {
    public static final ReplicaSettings DEFAULT = new ReplicaSettings(SegmentConfig.DEFAULT, 512 << 10);
}
