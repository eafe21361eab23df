package dev.weir.partition.catalog;

import java.util.concurrent.CompletionStage;

/** Carries a proposal to another node. */
@FunctionalInterface
public interface CatalogForwarder {
    /**
     * Hands the bytes to {@link GroupCatalog#answer} on that node and completes with what it answered. A failure of any kind means that the
     * outcome is not known; the proposal is then sent again, which is harmless.
     */
    CompletionStage<byte[]> forward(String nodeId, byte[] proposal);
}
