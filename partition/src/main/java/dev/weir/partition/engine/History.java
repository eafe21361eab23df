package dev.weir.partition.engine;

import dev.weir.partition.feed.PartitionFeed;
import java.io.IOException;
import java.util.concurrent.CompletionStage;

/** Tables as they once stood, held by a lease. Implemented in node. Any thread. */
public interface History {
    /** Has the partition's leader flush tables and take a cut of them, which it stores. Fails with {@link dev.weir.partition.model.RefusedException}. */
    CompletionStage<CutPlace> cut(int partition, CutRequest request);

    /**
     * A cut that was stored; blocks on the store.
     *
     * @throws dev.weir.partition.store.StoreException of kind {@code NOT_FOUND} where it has gone
     */
    PartitionCut stored(String leaseId, int partition) throws IOException, InterruptedException;

    /** Rows of one of its tables; blocks on disk and store. */
    CutRows rows(PartitionCut cut, PartitionCut.Table table, PartitionFeed feed) throws IOException;
}
