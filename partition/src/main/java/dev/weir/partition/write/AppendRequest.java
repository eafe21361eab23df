package dev.weir.partition.write;

import dev.weir.partition.entry.RowBlock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows for one partition from one request; applied as one unit, in order.
 *
 * @param partition for which the front door took them
 * @param generation of the partition that it knew
 * @param epoch of the partition map that it routed by
 * @param batch names this request; a retry carries the same name
 * @param unit the client's idempotency, where it asked for it
 * @param blocks one per table, rows in the order of the body within each
 */
public record AppendRequest(
        int partition,
        int generation,
        long epoch,
        BatchId batch,
        @Nullable IdempotencyUnit unit,
        List<RowBlock> blocks) {
    public AppendRequest {
        blocks = List.copyOf(blocks);
    }

    public int rowCount() {
        int rows = 0;
        for (RowBlock block : blocks) {
            rows += block.rowCount();
        }
        return rows;
    }
}
