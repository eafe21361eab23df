package dev.weir.query.sql.image;

import java.util.concurrent.CompletionStage;

/** Opens immutable images of tables, all of one cut. Implemented in node. */
public interface TableImages {
    /**
     * Pins one cut per partition and brings what is needed of it to this node. Each table image holds at least the rows that its need asks for (it
     * may hold more: the statement filters again), each acknowledged row included, and never a part: a partition that cannot answer fails it.
     *
     * <p>Fails with {@link dev.weir.partition.model.RefusedException}: 503 with the partition's name; BAD_CURSOR where the minimum cannot be
     * reached; NOT_FOUND for a table that is unknown by then. Never blocks the caller. When the signal fires before it is done, it gives up and
     * fails.
     */
    CompletionStage<ImageSet> open(ImageRequest request, CancelSignal cancel);
}
