package dev.weir.partition.feed;

import java.time.Duration;
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

    /**
     * Wants the partition's resolved time ({@link PartitionFeed#resolvedAtNanos}) to be no older than that: where nothing was written in the meantime, the
     * leader lets it move on by an entry without events. Replicas show it once they have applied that.
     *
     * @return the leader's resolved time, which no replica has shown a later one than before the call; fails with
     *     {@link dev.weir.partition.model.RefusedException} when the leader does not answer
     */
    CompletionStage<Long> resolve(int partition, Duration age);

    /** Calls back when {@link #partitions()} or the place of a feed has changed. */
    AutoCloseable onChange(Runnable listener);
}
