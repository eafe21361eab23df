package dev.weir.partition.write;

import java.util.concurrent.CompletionStage;

/**
 * Carries requests to the partition's leader, wherever it is. Implemented in node: local call or internal HTTP, with retries within a
 * deadline (by batch id, so that none doubles). Never fails exceptionally; bounded bytes in flight per partition, then Refused(OVERLOADED).
 */
public interface PartitionWrites {
    CompletionStage<AppendOutcome> append(AppendRequest request);
}
