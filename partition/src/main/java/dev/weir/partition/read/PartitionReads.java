package dev.weir.partition.read;

import java.util.concurrent.CompletionStage;

/**
 * Reads from one partition, wherever it is. Implemented in node: local call or internal HTTP. Fails with {@link
 * dev.weir.partition.model.RefusedException} (503 with the partition's number when it cannot answer).
 */
public interface PartitionReads {
    /** The last point of each matching series. */
    CompletionStage<ReadResult> latest(int partition, LatestQuery query, Consistency consistency);

    /** The matching series, with the timestamp of their last point and no fields. */
    CompletionStage<ReadResult> series(int partition, LatestQuery query, Consistency consistency);
}
