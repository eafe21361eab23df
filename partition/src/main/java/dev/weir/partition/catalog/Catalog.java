package dev.weir.partition.catalog;

import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A node's view of the catalog: its local applied image, and the way to change it through the catalog's leader. */
public interface Catalog {
    /** The newest image applied here. Never blocks. */
    CatalogImage image();

    /**
     * Proposes through the catalog's leader, wherever it is, and completes when the effect is in {@link #image()} here too. Fails with {@link
     * dev.weir.partition.model.RefusedException}: NO_QUORUM when the leader can't be reached in time (the message says "no quorum"), or the
     * refusal that applying it answered.
     */
    CompletionStage<CatalogReply> propose(CatalogCommand command);

    /** Completes when {@link #image()} reflects all that was agreed before the call; fails with NO_QUORUM. */
    CompletionStage<Void> linearize();

    /** Calls back with each new image, from the apply thread: the callback only signals. */
    AutoCloseable onChange(Consumer<CatalogImage> listener);
}
