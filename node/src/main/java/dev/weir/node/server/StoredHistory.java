package dev.weir.node.server;

import dev.weir.node.internal.ReadRouter;
import dev.weir.partition.engine.CachedFileRows;
import dev.weir.partition.engine.CutPlace;
import dev.weir.partition.engine.CutRequest;
import dev.weir.partition.engine.CutRows;
import dev.weir.partition.engine.CutStore;
import dev.weir.partition.engine.History;
import dev.weir.partition.engine.PartitionCut;
import dev.weir.partition.feed.PartitionFeed;
import dev.weir.partition.store.FileCache;
import java.io.IOException;
import java.util.concurrent.CompletionStage;

/** Cuts are taken by leaders, and read from the store by way of this node's cache. */
record StoredHistory(ReadRouter reads, CutStore cuts, FileCache cache) implements History {
    @Override
    public CompletionStage<CutPlace> cut(int partition, CutRequest request) {
        return reads.cut(partition, request);
    }

    @Override
    public PartitionCut stored(String leaseId, int partition) throws IOException, InterruptedException {
        return cuts.get(leaseId, partition);
    }

    @Override
    public CutRows rows(PartitionCut cut, PartitionCut.Table table, PartitionFeed feed) throws IOException {
        return new CutRows(cut, table, new CachedFileRows(cache), feed);
    }
}
