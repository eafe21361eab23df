package dev.weir.partition.engine;

import dev.weir.wal.LogPosition;
import dev.weir.wal.segment.SegmentManifest;

/**
 * A durable snapshot of a replica: which files, how much of each, and what is not in files.
 *
 * @param position of the log that the snapshot covers
 * @param folder name of the folder beside the manifest that holds segments and definitions
 */
record ReplicaManifest(
        int partition,
        int generation,
        LogPosition position,
        String folder,
        DefinitionsFile.Extent definitions,
        SegmentManifest segments,
        KeyManifest keys,
        LogFacts facts) {}
