package dev.weir.node.ingest.write;

import dev.weir.partition.catalog.PartitionRecord;
import dev.weir.partition.entry.RowBlock;
import java.util.List;

/**
 * A request to one partition that has not been sent yet.
 *
 * @param rows the ordinals in the body of the blocks' rows, in their order
 * @param chunk of the body in which they lie
 */
record PendingAppend(PartitionRecord partition, List<RowBlock> blocks, IntList rows, int chunk) {}
