package dev.weir.node.ingest;

import dev.weir.partition.write.BatchId;

/** Issues a new name for each batch of this node, never one twice. */
@FunctionalInterface
public interface BatchIds {
    BatchId next();
}
