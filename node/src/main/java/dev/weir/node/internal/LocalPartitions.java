package dev.weir.node.internal;

import java.util.Optional;

/** The partitions of which this node serves a replica. */
public interface LocalPartitions {
    /** Empty where none is held here, or it is not open yet. */
    Optional<LocalPartition> find(int partition);

    /** Calls back when a replica opens, closes or sees another leader. */
    AutoCloseable onChange(Runnable listener);
}
