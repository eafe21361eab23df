package dev.weir.partition.engine;

import dev.weir.partition.catalog.SlotRange;
import dev.weir.partition.model.TableSchema;
import java.util.List;

/**
 * A table at one point of the log.
 *
 * @param nextSeq every event before it is reflected, none from it on
 * @param firstBufferedSeq no row before it is buffered
 * @param slots of the partition
 */
record TableCut(TableSchema schema, long nextSeq, long firstBufferedSeq, FileSet files, List<SlotRange> slots) {
    /** @param newer a later schema of the table */
    TableCut under(TableSchema newer) {
        return new TableCut(newer, nextSeq, firstBufferedSeq, files, slots);
    }
}
