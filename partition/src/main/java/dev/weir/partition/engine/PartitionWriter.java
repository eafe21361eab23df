package dev.weir.partition.engine;

import dev.weir.partition.entry.EntryBuilder;
import dev.weir.partition.entry.Section.CompactionSection;
import dev.weir.partition.entry.Section.ExpirySection;
import dev.weir.partition.entry.Section.FlushSection;
import dev.weir.partition.entry.Section.MoveSection;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.write.AppendRequest;
import dev.weir.partition.write.DeleteRequest;
import dev.weir.partition.write.TenantSeriesQuota;
import dev.weir.partition.write.WriteResult;
import dev.weir.partition.write.WriteResult.Answered;
import dev.weir.partition.write.WriterConfig;
import dev.weir.wal.LogException;
import dev.weir.wal.LogGroupId;
import dev.weir.wal.LogHost;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The way into a partition's log on the node that leads it: admits requests, has them gathered into entries, and tells each what became of it.
 *
 * <p>Threading: any thread; nothing blocks but {@link #planTrim}. Entries are built and results completed on the executor. Results never fail
 * exceptionally.
 */
public final class PartitionWriter implements AutoCloseable {
    private final LogHost host;
    private final LogGroupId group;
    private final PartitionReplica replica;
    private final BufferBudget budget;
    private final WriterConfig config;
    private final WriterCounters counters = new WriterCounters();
    private final EntrySender sender;

    private volatile TenantSeriesQuota quota = TenantSeriesQuota.NONE;
    private @Nullable TrimPlanner planner;
    private @Nullable OpenReplica planned;

    /**
     * @param firstFence what the partition map gives the partition, for the first entry of its log; null while the map is not known
     * @param executor builds entries and completes results; may be shared by all writers
     */
    public PartitionWriter(
            LogHost host,
            LogGroupId group,
            PartitionReplica replica,
            BufferBudget budget,
            WriterConfig config,
            Supplier<@Nullable PartitionFence> firstFence,
            Executor executor) {
        this.host = host;
        this.group = group;
        this.replica = replica;
        this.budget = budget;
        this.config = config;
        this.sender =
                new EntrySender(entry -> host.append(group, entry), replica, config, firstFence, executor, counters);
    }

    /** From now on tenants may have so many series. */
    public void limitSeries(TenantSeriesQuota perTenant) {
        quota = perTenant;
    }

    public CompletionStage<WriteResult> append(AppendRequest request) {
        WriteResult refused = admit(request.generation(), request.rowCount());
        if (refused == null && budget.full()) {
            counters.buffersFull.increment();
            refused = Refusals.answered(replica.partition(), ErrorCode.BUFFERS_FULL, budget.describe());
        }
        return refused == null
                ? sender.enqueue(new PendingWrite.Rows(request, config.seriesMax(), quota))
                : CompletableFuture.completedFuture(refused);
    }

    public CompletionStage<WriteResult> delete(DeleteRequest request) {
        WriteResult refused = admit(request.generation(), 1);
        return refused == null
                ? sender.enqueue(new PendingWrite.Delete(request))
                : CompletableFuture.completedFuture(refused);
    }

    /** Moves the partition's commit time though nothing is written. Completes when applied; fails with {@link LogException}. */
    public CompletionStage<Void> tick() {
        return propose(EntryBuilder::addTick);
    }

    /** Lets history before {@code seq} go, on every replica, on a full disk too. Completes when applied; fails with {@link LogException}. */
    public CompletionStage<Void> trim(long seq) {
        return host.appendFreeing(group, entry(entry -> entry.addTrim(seq))).thenApply(reply -> null);
    }

    /**
     * Commits files of a table's buffer; whether it holds is decided where it is applied. Completes when applied; fails with {@link
     * LogException}, the outcome being unknown then.
     */
    CompletionStage<Void> flush(FlushSection section) {
        return propose(entry -> entry.add(section));
    }

    /** Commits merged files, as {@link #flush}. */
    CompletionStage<Void> compact(CompactionSection section) {
        return propose(entry -> entry.add(section));
    }

    /** Commits that trims are remembered, before the first copy is planned; as {@link #move}. */
    CompletionStage<Void> beginMoves() {
        return host.appendFreeing(group, entry(EntryBuilder::addMovesBegin)).thenApply(reply -> null);
    }

    /** Commits that history is in the store, on a full disk too, as {@link #flush}. */
    CompletionStage<Void> move(MoveSection section) {
        return host.appendFreeing(group, entry(entry -> entry.add(section))).thenApply(reply -> null);
    }

    /**
     * Forgets, on every replica, idempotency keys beyond the window, if there are any; for quiet partitions, since busy ones forget by themselves
     * too. Completes when applied; fails with {@link LogException}.
     *
     * @param nowNanos wall clock, ns since 1970
     */
    public CompletionStage<Void> expire(long nowNanos) {
        long before = nowNanos - config.idempotencyWindow().toNanos();
        int entries = config.idempotencyEntries();
        if (!replica.opened().holdsUnitsBeyond(before, entries)) {
            return CompletableFuture.completedFuture(null);
        }
        return propose(entry -> entry.add(new ExpirySection(before, entries)));
    }

    /**
     * The seq before which history may go by the budget of retention, for {@link #trim}; 0 where none may. Blocks on the disk.
     *
     * @param nowNanos wall clock, ns since 1970
     * @param holds what is held beyond the retention
     */
    public synchronized long planTrim(long nowNanos, List<LogHold> holds) throws IOException {
        OpenReplica open = replica.opened();
        TrimPlanner current = planner;
        if (current == null || !open.equals(planned)) {
            current = new TrimPlanner(open);
            planner = current;
            planned = open;
        }
        return current.plan(
                config.retentionBytes(), nowNanos - config.retentionAge().toNanos(), holds);
    }

    public WriterStats stats() {
        return sender.stats();
    }

    /** Refuses what waits; what is in flight is answered still. */
    @Override
    public void close() {
        sender.close();
    }

    /** Null for a request that may go on. */
    private @Nullable WriteResult admit(int generation, int rows) {
        PartitionReplica.Leadership leadership = replica.leadership();
        if (!leadership.leads()) {
            return Refusals.elsewhere(replica.partition(), leadership.leader(), "this replica does not lead");
        }
        if (generation > replica.generation()) {
            return Refusals.elsewhere(
                    replica.partition(), null, "this replica has the older generation " + replica.generation());
        }
        if (generation < replica.generation()) {
            return new Answered(AppendFold.foreignGeneration(replica.generation(), generation, rows));
        }
        return null;
    }

    private CompletionStage<Void> propose(Consumer<EntryBuilder> section) {
        return host.append(group, entry(section)).thenApply(reply -> null);
    }

    private ByteBuffer entry(Consumer<EntryBuilder> section) {
        EntryBuilder entry = new EntryBuilder(replica.opened().definitions());
        section.accept(entry);
        return entry.build();
    }
}
