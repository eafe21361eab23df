package dev.weir.partition.feed;

import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.CompletionStage;

/** Finds the feeds of a node. Implemented in node over the local replicas, and over other nodes' replicas where none is local. */
public interface FeedDirectory {
    /** The partitions of the map, live ones and ended ones whose history is kept. */
    SortedSet<Integer> partitions();

    /** A feed of the partition, local where possible; empty while no replica can be reached. */
    Optional<PartitionFeed> feed(int partition);

    /**
     * One past the last event that is committed anywhere now (asked of the leader), for {@code from=now} and lags.
     * Fails with {@link dev.weir.partition.model.RefusedException} when the leader does not answer.
     */
    CompletionStage<Long> committedNextSeq(int partition);

    /** Calls back when {@link #partitions()} or the place of a feed has changed. */
    AutoCloseable onChange(Runnable listener);
}
