package dev.weir.node.cluster;

import dev.weir.partition.catalog.NodeRecord;
import dev.weir.partition.catalog.PartitionRecord;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Looks at and changes the replicas of partitions, on whichever node that has to happen. Every call is idempotent and bounded in time. */
public interface GroupAdmin {
    /**
     * What a partition's group itself says.
     *
     * @param leader node id
     * @param voters node ids, as of the leader's committed configuration
     */
    record Configuration(String leader, List<String> voters) {
        public Configuration {
            voters = List.copyOf(voters);
        }
    }

    /** Asks the partition's leader, wherever it is; fails where none answers. */
    CompletionStage<Configuration> configuration(PartitionRecord partition);

    /** Has that node open a replica of the partition, empty and joining unless it has one. */
    CompletionStage<Void> openReplica(NodeRecord node, PartitionRecord partition);

    /** Has the leader change who holds the partition; completes when that is committed, which is after new voters have caught up. */
    CompletionStage<Void> setVoters(String leader, PartitionRecord partition, List<NodeRecord> voters);

    /** Has the leader hand its leadership to another voter; completes when that one has it. */
    CompletionStage<Void> handOver(String leader, PartitionRecord partition, String to);
}
