package dev.weir.node.internal;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The partitions of which this node serves a replica. */
public interface LocalPartitions {
    /** Empty where none is held here, or it is not open yet. */
    Optional<LocalPartition> find(int partition);

    /** Opens a replica that waits for the partition's leader to add it; completes at once where it is open. */
    CompletionStage<Void> join(int partition, int generation);

    /** Calls back when a replica opens, closes or sees another leader. */
    AutoCloseable onChange(Runnable listener);
}
