package dev.weir.partition.catalog;

import java.util.concurrent.CompletionStage;

/** Fetches catalog snapshots from other nodes. */
@FunctionalInterface
public interface CatalogSnapshotSource {
    /** The bytes of {@link CatalogState#newestSnapshot()} on that node. Must end within a bounded time. */
    CompletionStage<byte[]> fetch(String nodeId);
}
