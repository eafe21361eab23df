package dev.weir.partition.write;

import java.util.concurrent.CompletionStage;

/**
 * Carries requests to the partition's leader, wherever it is. Implemented in node: local call or internal HTTP, with retries within a
 * deadline (by batch id, so that none doubles). Never fails exceptionally; bounded bytes in flight per partition, then Refused(OVERLOADED).
 */
public interface PartitionWrites {
    CompletionStage<AppendOutcome> append(AppendRequest request);

    /**
     * Deletes a series, or drops the table there. Applied: {@code nextSeq} is one past the event, 0 where there was nothing to delete; a
     * voided row 0 says why not (WRONG_PARTITION, or TABLE_DROPPED where a series of a dropped table was meant).
     */
    CompletionStage<AppendOutcome> delete(DeleteRequest request);
}
