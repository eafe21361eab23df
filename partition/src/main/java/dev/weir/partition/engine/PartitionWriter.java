package dev.weir.partition.engine;

import dev.weir.partition.entry.ApplyReply;
import dev.weir.partition.entry.EntryBuilder;
import dev.weir.partition.entry.FormatException;
import dev.weir.partition.entry.Section.ExpirySection;
import dev.weir.partition.entry.Section.FenceSection;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.write.AppendOutcome;
import dev.weir.partition.write.AppendRequest;
import dev.weir.partition.write.DeleteRequest;
import dev.weir.partition.write.WriteResult;
import dev.weir.partition.write.WriteResult.Answered;
import dev.weir.partition.write.WriteResult.TryElsewhere;
import dev.weir.partition.write.WriterConfig;
import dev.weir.wal.LogException;
import dev.weir.wal.LogGroupId;
import dev.weir.wal.LogHost;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The way into a partition's log on the node that leads it: admits requests, gathers them into entries, and tells each what became of it.
 *
 * <p>Threading: any thread; nothing blocks but {@link #planTrim}. Entries are built and results completed on the executor. Results never fail
 * exceptionally.
 */
public final class PartitionWriter implements AutoCloseable {
    private static final long RETRY_AFTER_MS = 1000;

    private final LogHost host;
    private final LogGroupId group;
    private final PartitionReplica replica;
    private final BufferBudget budget;
    private final WriterConfig config;
    private final Supplier<@Nullable PartitionFence> firstFence;
    private final Executor executor;
    private final WriteQueue queue;
    private final WriterCounters counters = new WriterCounters();

    /** Guards the queue; held to move references, never while an entry is built or a future completed. */
    private final Object lock = new Object();

    private boolean sending;
    private boolean closed;
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
        this.firstFence = firstFence;
        this.executor = executor;
        this.queue = new WriteQueue(config);
    }

    public CompletionStage<WriteResult> append(AppendRequest request) {
        WriteResult refused = admit(request.generation(), request.rowCount());
        if (refused == null && budget.full()) {
            counters.buffersFull.increment();
            refused = refused(ErrorCode.BUFFERS_FULL, budget.describe());
        }
        return refused == null
                ? enqueue(new PendingWrite.Rows(request, config.seriesMax()))
                : CompletableFuture.completedFuture(refused);
    }

    public CompletionStage<WriteResult> delete(DeleteRequest request) {
        WriteResult refused = admit(request.generation(), 1);
        return refused == null ? enqueue(new PendingWrite.Delete(request)) : CompletableFuture.completedFuture(refused);
    }

    /** Moves the partition's commit time though nothing is written. Completes when applied; fails with {@link LogException}. */
    public CompletionStage<Void> tick() {
        return propose(EntryBuilder::addTick);
    }

    /** Lets history before {@code seq} go, on every replica. Completes when applied; fails with {@link LogException}. */
    public CompletionStage<Void> trim(long seq) {
        return propose(entry -> entry.addTrim(seq));
    }

    /**
     * Forgets which requests were seen before a commit time, on every replica; for quiet partitions, since busy ones forget by themselves.
     * Completes when applied; fails with {@link LogException}.
     */
    public CompletionStage<Void> expire(long beforeNanos) {
        return propose(entry -> entry.add(new ExpirySection(beforeNanos, Integer.MAX_VALUE)));
    }

    /**
     * The seq before which history may go by the budget of retention, for {@link #trim}; 0 where none may. Blocks on the disk.
     *
     * @param nowNanos wall clock, ns since 1970
     */
    public synchronized long planTrim(long nowNanos) throws IOException {
        OpenReplica open = replica.opened();
        TrimPlanner current = planner;
        if (current == null || planned != open) {
            current = new TrimPlanner(open);
            planner = current;
            planned = open;
        }
        return current.plan(
                config.retentionBytes(), nowNanos - config.retentionAge().toNanos());
    }

    public WriterStats stats() {
        synchronized (lock) {
            return counters.read(queue.bytes(), queue.waiting(), queue.inFlight());
        }
    }

    /** Refuses what waits; what is in flight is answered still. */
    @Override
    public void close() {
        List<PendingWrite> left;
        synchronized (lock) {
            closed = true;
            left = queue.drain();
        }
        left.forEach(write -> write.result().complete(elsewhere("this replica is closing")));
    }

    private @Nullable WriteResult admit(int generation, int rows) {
        PartitionReplica.Leadership leadership = replica.leadership();
        if (!leadership.leads()) {
            return new TryElsewhere(leadership.leader(), noLeader("this replica does not lead"));
        }
        if (generation > replica.generation()) {
            return elsewhere("this replica has the older generation " + replica.generation());
        }
        if (generation < replica.generation()) {
            return new Answered(AppendFold.foreignGeneration(replica.generation(), generation, rows));
        }
        return null;
    }

    private CompletionStage<WriteResult> enqueue(PendingWrite write) {
        boolean send = false;
        synchronized (lock) {
            if (closed) {
                return CompletableFuture.completedFuture(elsewhere("this replica is closing"));
            }
            if (!queue.offer(write)) {
                counters.overloaded.increment();
                return CompletableFuture.completedFuture(refused(
                        ErrorCode.OVERLOADED,
                        "writer.bytes-max " + config.bytesMax() + " reached: " + queue.bytes() + " bytes wait"));
            }
            send = startSending();
        }
        if (send) {
            executor.execute(this::send);
        }
        return write.result();
    }

    /** Holder of the lock. */
    private boolean startSending() {
        if (sending || !queue.shouldSend()) {
            return false;
        }
        sending = true;
        return true;
    }

    /** One at a time, so that requests enter the log in the order in which they came. */
    private void send() {
        while (true) {
            OpenReplica open;
            try {
                open = replica.opened();
            } catch (dev.weir.partition.model.RefusedException e) {
                failWaiting();
                return;
            }
            EntryBuilder entry = new EntryBuilder(open.definitions());
            List<PendingWrite> writes = new ArrayList<>();
            if (!prepareFence(open, entry)) {
                failWaiting();
                return;
            }
            gather(entry, writes);
            synchronized (lock) {
                if (writes.isEmpty()) {
                    sending = queue.shouldSend();
                    if (!sending) {
                        return;
                    }
                    continue;
                }
                queue.sent();
            }
            append(entry.build(), writes);
            synchronized (lock) {
                sending = queue.shouldSend();
                if (!sending) {
                    return;
                }
            }
        }
    }

    /** Puts the partition's first fence before its first rows. False while the map is not known. */
    private boolean prepareFence(OpenReplica open, EntryBuilder entry) {
        if (open.fence() != null) {
            return true;
        }
        PartitionFence first = firstFence.get();
        if (first == null) {
            return false;
        }
        entry.add(new FenceSection(first.slots(), first.epoch(), first.generation()));
        return true;
    }

    private void gather(EntryBuilder entry, List<PendingWrite> writes) {
        while (true) {
            PendingWrite write;
            synchronized (lock) {
                write = queue.next(writes.isEmpty() ? 0 : entry.bytes());
                if (write == null || !write.fits(entry)) {
                    return;
                }
                queue.take();
            }
            try {
                write.addTo(entry);
                writes.add(write);
            } catch (FormatException | IllegalArgumentException e) {
                synchronized (lock) {
                    queue.released(write);
                }
                write.result().complete(refused(ErrorCode.BAD_REQUEST, String.valueOf(e.getMessage())));
            }
        }
    }

    private void append(ByteBuffer entry, List<PendingWrite> writes) {
        counters.entries.increment();
        counters.requests.add(writes.size());
        counters.entryBytes.add(entry.remaining());
        host.append(group, entry)
                .whenComplete((reply, failure) -> executor.execute(() -> {
                    boolean send;
                    synchronized (lock) {
                        queue.returned(writes);
                        send = startSending();
                    }
                    if (send) {
                        executor.execute(this::send);
                    }
                    if (failure == null) {
                        answer(reply, writes);
                    } else {
                        WriteResult result = failed(failure);
                        writes.forEach(write -> write.result().complete(result));
                    }
                }));
    }

    private void answer(byte[] reply, List<PendingWrite> writes) {
        List<AppendOutcome> outcomes = ApplyReply.decode(reply).outcomes();
        if (outcomes.size() != writes.size()) {
            throw new IllegalStateException("reply: expected " + writes.size() + " outcomes, found " + outcomes.size());
        }
        for (int i = 0; i < writes.size(); i++) {
            writes.get(i).answer(outcomes.get(i));
        }
    }

    private WriteResult failed(Throwable failure) {
        Throwable cause = failure instanceof java.util.concurrent.CompletionException && failure.getCause() != null
                ? failure.getCause()
                : failure;
        if (!(cause instanceof LogException log)) {
            return new Answered(new AppendOutcome.Unknown(String.valueOf(cause)));
        }
        String message = String.valueOf(log.getMessage());
        return switch (log.kind()) {
            case NOT_LEADER -> new TryElsewhere(log.leader(), noLeader(message));
            case UNAVAILABLE, NO_SUCH_GROUP -> new TryElsewhere(null, noLeader(message));
            case TOO_LARGE -> refused(ErrorCode.TOO_LARGE, message);
            case OVERLOADED -> refused(ErrorCode.OVERLOADED, message);
            case DISK_FULL -> refused(ErrorCode.DISK_FULL, message);
            case UNKNOWN -> new Answered(new AppendOutcome.Unknown(message));
        };
    }

    private void failWaiting() {
        List<PendingWrite> left;
        synchronized (lock) {
            sending = false;
            left = queue.drain();
        }
        left.forEach(write -> write.result().complete(elsewhere("this replica is starting")));
    }

    private CompletionStage<Void> propose(Consumer<EntryBuilder> section) {
        EntryBuilder entry = new EntryBuilder(replica.opened().definitions());
        section.accept(entry);
        return host.append(group, entry.build()).thenApply(reply -> null);
    }

    private TryElsewhere elsewhere(String message) {
        return new TryElsewhere(null, noLeader(message));
    }

    private Refusal noLeader(String message) {
        return new Refusal(ErrorCode.NO_LEADER, "partition " + replica.partition() + ": " + message, RETRY_AFTER_MS);
    }

    private Answered refused(ErrorCode code, String message) {
        return new Answered(
                new AppendOutcome.Refused(Refusal.of(code, "partition " + replica.partition() + ": " + message)));
    }
}
