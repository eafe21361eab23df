package dev.weir.node.internal;

import dev.weir.partition.engine.CutPlace;
import dev.weir.partition.engine.CutRequest;
import dev.weir.partition.engine.PartitionFiles;
import dev.weir.partition.engine.ReplicaFiles;
import dev.weir.partition.feed.PartitionFeed;
import dev.weir.partition.read.LatestQuery;
import dev.weir.partition.read.ReadResult;
import dev.weir.partition.write.AppendRequest;
import dev.weir.partition.write.DeleteRequest;
import dev.weir.wal.LogPeer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A partition's replica on this node, as the routers use it. No method blocks. */
public interface LocalPartition {
    int partition();

    int generation();

    /** This replica leads and is ready. */
    boolean leads();

    /** The leader's node id as this replica knows it. */
    @Nullable
    String leader();

    CompletionStage<Attempt> append(AppendRequest request);

    CompletionStage<Attempt> delete(DeleteRequest request);

    /** Completes when this replica has applied all that was committed before the call; fails where it can't be known. */
    CompletionStage<Void> linearize();

    CompletionStage<ReadResult> latest(LatestQuery query);

    CompletionStage<ReadResult> series(LatestQuery query);

    /** Tables of this replica as of what is applied here. */
    CompletionStage<PartitionTables> image(ImageQuery query);

    /** Makes files of what the table has buffered; this replica must lead. Completes with whether there was anything. */
    CompletionStage<Boolean> flush(int tableId);

    /** Merges the table's files here; this replica must lead. Completes with how many merges there were. */
    CompletionStage<Integer> compact(int tableId);

    /** What of a table this replica has in files, as of what is applied here. */
    CompletionStage<PartitionFiles> tableFiles(int tableId);

    /** Flushes tables and takes a cut of them for a lease; this replica must lead. */
    CompletionStage<CutPlace> cut(CutRequest request);

    /** Makes one file of these; this replica must lead. Completes with whether they were there, and now are one. */
    CompletionStage<Boolean> rewrite(int tableId, List<String> keys);

    PartitionFeed feed();

    /**
     * Wants the resolved time to be no older than that; this replica must lead. Completes with the resolved time here, once it is.
     *
     * @see dev.weir.partition.feed.FeedDirectory#resolve
     */
    CompletionStage<Long> resolve(Duration age);

    /** Who votes in the replica's log, as it knows. */
    List<LogPeer> voters();

    /** Changes who votes; this replica must lead. Completes when that is committed. */
    CompletionStage<Void> setVoters(List<LogPeer> voters);

    /** Hands leadership to another voter; this replica must lead. Completes when that one leads. */
    CompletionStage<Void> handOver(String node);

    /**
     * The replica's files, for another node.
     *
     * @throws dev.weir.partition.model.RefusedException the replica is not open
     */
    ReplicaFiles files();
}
