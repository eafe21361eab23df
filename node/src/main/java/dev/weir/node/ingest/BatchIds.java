package dev.weir.node.ingest;

import dev.weir.partition.write.BatchId;

/** Issues a new name for each batch of this node, never one twice. */
@FunctionalInterface
public interface BatchIds {
    BatchId next();

    /** A new name of a change that touches several partitions. */
    default String nextChangeId() {
        BatchId batch = next();
        return batch.node() + "-" + batch.incarnation() + "-" + batch.counter();
    }
}
