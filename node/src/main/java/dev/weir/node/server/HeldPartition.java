package dev.weir.node.server;

import dev.weir.node.image.PartitionImages;
import dev.weir.node.internal.Attempt;
import dev.weir.node.internal.ImageQuery;
import dev.weir.node.internal.LocalPartition;
import dev.weir.node.internal.PartitionTables;
import dev.weir.partition.engine.CutPlace;
import dev.weir.partition.engine.CutRequest;
import dev.weir.partition.engine.PartitionFiles;
import dev.weir.partition.engine.PartitionFlusher;
import dev.weir.partition.engine.PartitionReplica;
import dev.weir.partition.engine.PartitionWriter;
import dev.weir.partition.engine.ReplicaFiles;
import dev.weir.partition.engine.ReplicaStats;
import dev.weir.partition.engine.TableSize;
import dev.weir.partition.engine.UncommittedException;
import dev.weir.partition.feed.PartitionFeed;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.read.LatestQuery;
import dev.weir.partition.read.ReadResult;
import dev.weir.partition.store.StoreException;
import dev.weir.partition.write.AppendOutcome;
import dev.weir.partition.write.AppendRequest;
import dev.weir.partition.write.DeleteRequest;
import dev.weir.partition.write.WriteResult;
import dev.weir.wal.LogGroupId;
import dev.weir.wal.LogHost;
import dev.weir.wal.LogMembers;
import dev.weir.wal.LogPeer;
import dev.weir.wal.LogStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A replica of this node with its log, its writer and its place in the cluster. */
final class HeldPartition implements LocalPartition, RetainedRows {
    private final LogHost host;
    private final LogGroupId group;
    private final PartitionReplica replica;
    private final PartitionWriter writer;
    private final PartitionFlusher flusher;
    private final PartitionImages images;
    private final ExecutorService blocking;
    private final Ticks ticks;
    private final Trimming trims;
    private volatile @Nullable String obstacle;
    private final Map<Flushes.Work, String> failures = new ConcurrentHashMap<>();
    private volatile List<String> unswept = List.of();

    /** The replica, the way into its log, and the way out of its buffers. */
    record Engine(PartitionReplica replica, PartitionWriter writer, PartitionFlusher flusher) {}

    HeldPartition(LogHost host, LogGroupId group, Engine engine, PartitionImages images, ExecutorService blocking) {
        this.host = host;
        this.group = group;
        this.replica = engine.replica;
        this.writer = engine.writer;
        this.flusher = engine.flusher;
        this.images = images;
        this.blocking = blocking;
        this.trims = new Trimming(replica.feed()::oldestSeq, writer::trim);
        this.ticks = new Ticks(replica.feed()::resolvedAtNanos, writer::tick, InstantSource.system());
    }

    LogGroupId group() {
        return group;
    }

    PartitionReplica replica() {
        return replica;
    }

    PartitionWriter writer() {
        return writer;
    }

    Trimming trims() {
        return trims;
    }

    PartitionFlusher flusher() {
        return flusher;
    }

    @Override
    public int partition() {
        return replica.partition();
    }

    @Override
    public int generation() {
        return replica.generation();
    }

    @Override
    public boolean leads() {
        return replica.leadership().leads();
    }

    @Override
    public @Nullable String leader() {
        return replica.leadership().leader();
    }

    @Override
    public CompletionStage<Attempt> append(AppendRequest request) {
        Attempt refused = refusal();
        return refused == null
                ? writer.append(request).thenApply(HeldPartition::attempt)
                : CompletableFuture.completedFuture(refused);
    }

    /** Writes are not admitted, and why; null: they are. */
    void admission(@Nullable String why) {
        obstacle = why;
    }

    @Override
    public long oldestNanos(int tableId) {
        return replica.oldestNanos(tableId);
    }

    /** What each table has here; fails where this replica can't know that it leads. */
    CompletionStage<List<TableSize>> tableSizes() {
        return linearize().thenApplyAsync(ok -> replica.tableSizes(), blocking);
    }

    /** The last of these failed: rows and files stay where they are. */
    void fails(Flushes.Work work, String why) {
        failures.put(work, why);
    }

    /** The last of these did not fail. */
    void works(Flushes.Work work) {
        failures.remove(work);
    }

    /** Why the last of these failed, where it did and this replica leads. */
    @Nullable
    String failure(Flushes.Work work) {
        return leads() ? failures.get(work) : null;
    }

    /** Tables that the last sweep left out, and why. */
    void sweepLeft(List<String> why) {
        unswept = List.copyOf(why);
    }

    List<String> unswept() {
        return leads() ? unswept : List.of();
    }

    private @Nullable Attempt refusal() {
        String why = obstacle;
        return why == null || !leads()
                ? null
                : new Attempt.Done(new AppendOutcome.Refused(
                        Refusal.of(ErrorCode.DISK_FULL, "partition " + partition() + ": " + why)));
    }

    @Override
    public CompletionStage<Attempt> delete(DeleteRequest request) {
        Attempt refused = refusal();
        return refused == null
                ? writer.delete(request).thenApply(HeldPartition::attempt)
                : CompletableFuture.completedFuture(refused);
    }

    private static Attempt attempt(WriteResult result) {
        return switch (result) {
            case WriteResult.Answered answered -> new Attempt.Done(answered.outcome());
            case WriteResult.TryElsewhere elsewhere ->
                new Attempt.Elsewhere(elsewhere.leader(), elsewhere.refusal().message());
        };
    }

    @Override
    public CompletionStage<Void> linearize() {
        return host.linearize(group);
    }

    @Override
    public CompletionStage<ReadResult> latest(LatestQuery query) {
        return onBlocking(() -> uninterrupted(() -> replica.latest(query, flusher.files())));
    }

    @Override
    public CompletionStage<ReadResult> series(LatestQuery query) {
        return onBlocking(() -> replica.series(query));
    }

    @Override
    public CompletionStage<PartitionTables> image(ImageQuery query) {
        return onBlocking(() -> images.take(replica, query));
    }

    private interface DiskRead<T> {
        T read() throws IOException;
    }

    private <T> CompletionStage<T> onBlocking(DiskRead<T> read) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return read.read();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                blocking);
    }

    @Override
    public CompletionStage<Boolean> flush(int tableId) {
        return asLeader(() -> flusher.flush(tableId), done -> done);
    }

    @Override
    public CompletionStage<Integer> compact(int tableId) {
        return asLeader(() -> flusher.compact(tableId), merges -> merges > 0);
    }

    @Override
    public CompletionStage<PartitionFiles> tableFiles(int tableId) {
        return onBlocking(() -> replica.tableFiles(tableId));
    }

    @Override
    public CompletionStage<CutPlace> cut(CutRequest request) {
        return asLeader(() -> flusher.cut(request.tenant(), request.tables(), request.leaseId()), cut -> true)
                .thenApply(cut -> new CutPlace(cut.partition(), cut.fromSeq(), cut.cutSeq()));
    }

    @Override
    public CompletionStage<Boolean> rewrite(int tableId, List<String> keys) {
        return asLeader(() -> flusher.rewrite(tableId, keys), done -> done);
    }

    private interface FileWork<T> {
        T run() throws IOException, InterruptedException;
    }

    /** That there was nothing to do only a replica can say that leads when it says so. */
    private <T> CompletionStage<T> asLeader(FileWork<T> work, Predicate<T> didSomething) {
        return onBlocking(() -> {
            T done = uninterrupted(work);
            if (!didSomething.test(done) && !leads()) {
                throw new RefusedException(
                        Refusal.of(ErrorCode.NO_LEADER, "partition " + partition() + " is led elsewhere"));
            }
            return done;
        });
    }

    private static <T> T uninterrupted(FileWork<T> work) throws IOException {
        try {
            return work.run();
        } catch (UncommittedException e) {
            throw new RefusedException(Refusal.of(ErrorCode.NO_LEADER, String.valueOf(e.getMessage())));
        } catch (StoreException e) {
            throw new RefusedException(Refusal.of(ErrorCode.STORE_UNAVAILABLE, String.valueOf(e.getMessage())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the work on files was interrupted", e);
        }
    }

    @Override
    public PartitionFeed feed() {
        return replica.feed();
    }

    @Override
    public CompletionStage<Long> resolve(Duration age) {
        return ticks.resolve(age);
    }

    @Override
    public List<LogPeer> voters() {
        return host.status(group).map(status -> status.members().voters()).orElse(List.of());
    }

    @Override
    public CompletionStage<Void> setVoters(List<LogPeer> voters) {
        return host.setMembers(group, LogMembers.voters(voters));
    }

    @Override
    public CompletionStage<Void> handOver(String node) {
        return host.transferLeadership(group, node);
    }

    @Override
    public ReplicaFiles files() {
        return replica.files();
    }

    /** Empty while the log is not open. */
    Optional<ReplicaView> view(Rates rates) {
        LogStatus status = host.status(group).orElse(null);
        if (status == null) {
            return Optional.empty();
        }
        ReplicaStats stats = replica.stats();
        return Optional.of(new ReplicaView(
                partition(),
                generation(),
                status,
                stats.nextSeq(),
                stats.oldestSeq(),
                stats.bufferedRows(),
                stats.segmentBytes(),
                stats.series(),
                rates.perSecond(partition()),
                replica.bufferedBytes(),
                FlushLag.seconds(this, InstantSource.system()),
                failure(Flushes.Work.FLUSH)));
    }
}
