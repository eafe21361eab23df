package dev.weir.node.server;

import dev.weir.node.ingest.BatchIds;
import dev.weir.partition.write.BatchId;
import java.util.concurrent.atomic.AtomicLong;

/** Numbers the batches of this process: unique in the cluster, since an incarnation is given once. */
final class BatchCounter implements BatchIds {
    private final String node;
    private final long incarnation;
    private final AtomicLong counter = new AtomicLong();

    BatchCounter(String node, long incarnation) {
        this.node = node;
        this.incarnation = incarnation;
    }

    @Override
    public BatchId next() {
        return new BatchId(node, incarnation, counter.incrementAndGet());
    }
}
