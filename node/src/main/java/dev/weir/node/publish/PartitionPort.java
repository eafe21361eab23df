package dev.weir.node.publish;

import dev.weir.partition.engine.PartitionFiles;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** What the publisher asks of partitions' leaders. Neither call blocks. */
public interface PartitionPort {
    /** What the partition has of the table in files, now. */
    CompletionStage<PartitionFiles> tableFiles(int partition, int tableId);

    /** Makes one file of these; completes when that is committed, with whether they were still there. */
    CompletionStage<Boolean> rewrite(int partition, int tableId, List<String> keys);
}
