package dev.weir.partition.engine;

import dev.weir.partition.entry.ApplyReply;
import dev.weir.partition.entry.EntryBuilder;
import dev.weir.partition.entry.FormatException;
import dev.weir.partition.entry.Section.FenceSection;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.write.AppendOutcome;
import dev.weir.partition.write.WriteResult;
import dev.weir.partition.write.WriterConfig;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Group commit: gathers waiting requests into entries, appends them in the order in which they came, and completes each with its outcome. Any
 * thread.
 */
final class EntrySender {
    private static final Logger LOG = LoggerFactory.getLogger(EntrySender.class);

    private final Log log;
    private final PartitionReplica replica;
    private final WriterConfig config;
    private final Supplier<@Nullable PartitionFence> firstFence;
    private final Executor executor;
    private final WriterCounters counters;
    private final WriteQueue queue;
    private final GatherPace pace = new GatherPace();

    /** Guards the queue and the pace; held to move references, never while an entry is built or a future completed. */
    private final Object lock = new Object();

    private boolean sending;
    private boolean closed;
    /** {@link #wake} will be called. */
    private boolean wakes;

    /** Used by one {@link #send} at a time. */
    private @Nullable Building building;

    /** An entry builder that knows what one opening of the replica has defined. */
    private record Building(OpenReplica open, EntryBuilder entry) {}

    /** Where entries go. */
    interface Log {
        CompletionStage<byte[]> append(ByteBuffer entry);
    }

    EntrySender(
            Log log,
            PartitionReplica replica,
            WriterConfig config,
            Supplier<@Nullable PartitionFence> firstFence,
            Executor executor,
            WriterCounters counters) {
        this.log = log;
        this.replica = replica;
        this.config = config;
        this.firstFence = firstFence;
        this.executor = executor;
        this.counters = counters;
        this.queue = new WriteQueue(config);
    }

    CompletionStage<WriteResult> enqueue(PendingWrite write) {
        boolean send;
        synchronized (lock) {
            if (closed) {
                return CompletableFuture.completedFuture(elsewhere("this replica is closing"));
            }
            if (!queue.offer(write)) {
                counters.overloaded.increment();
                return CompletableFuture.completedFuture(Refusals.answered(
                        replica.partition(),
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

    WriterStats stats() {
        synchronized (lock) {
            return counters.read(queue.bytes(), queue.waiting(), queue.inFlight());
        }
    }

    void close() {
        synchronized (lock) {
            closed = true;
        }
        refuseWaiting("this replica is closing");
    }

    /** Called under the lock. */
    private boolean startSending() {
        if (!sending) {
            sending = maySend();
            return sending;
        }
        return false;
    }

    /** Called under the lock. */
    private boolean maySend() {
        if (!queue.shouldSend()) {
            return false;
        }
        long delay = queue.isWorthAnEntry() ? 0 : pace.delay(System.nanoTime());
        if (delay > 0 && !wakes) {
            wakes = true;
            CompletableFuture.delayedExecutor(delay, TimeUnit.NANOSECONDS, executor)
                    .execute(this::wake);
        }
        return delay == 0;
    }

    private void wake() {
        boolean send;
        synchronized (lock) {
            wakes = false;
            send = startSending();
        }
        if (send) {
            send();
        }
    }

    /** Runs once at a time, so that requests enter the log in the order in which they came. */
    private void send() {
        boolean more = true;
        while (more) {
            try {
                sendOne(replica.opened());
            } catch (RefusedException e) {
                refuseWaiting("this replica is not open");
            }
            synchronized (lock) {
                more = maySend();
                sending = more;
            }
        }
    }

    private void sendOne(OpenReplica open) {
        EntryBuilder entry = entryFor(open);
        if (open.fence() == null) {
            PartitionFence first = firstFence.get();
            if (first == null) {
                refuseWaiting("the partition map is not known here yet");
                return;
            }
            entry.add(new FenceSection(first.slots(), first.epoch(), first.generation()));
        }
        List<PendingWrite> writes = new ArrayList<>();
        ByteBuffer built;
        try {
            gather(entry, writes);
            if (writes.isEmpty()) {
                return;
            }
            built = entry.build();
        } catch (RuntimeException e) {
            LOG.error("partition {}: an entry of {} requests can't be built", replica.partition(), writes.size(), e);
            building = null;
            synchronized (lock) {
                writes.forEach(queue::released);
            }
            WriteResult fault =
                    Refusals.answered(replica.partition(), ErrorCode.INTERNAL, "an entry can't be built: " + e);
            writes.forEach(write -> write.result().complete(fault));
            return;
        }
        synchronized (lock) {
            queue.sent();
        }
        append(built, writes);
    }

    private EntryBuilder entryFor(OpenReplica open) {
        Building known = building;
        if (known == null || !known.open.equals(open)) {
            known = new Building(open, new EntryBuilder(open.definitions()));
            building = known;
        }
        known.entry.reset();
        return known.entry;
    }

    /** @param writes gets what is in the entry, or was to be when adding it failed by a fault of our own */
    private void gather(EntryBuilder entry, List<PendingWrite> writes) {
        while (true) {
            PendingWrite write;
            synchronized (lock) {
                write = queue.next(writes.isEmpty() ? 0 : entry.bytes());
                if (write == null || (!writes.isEmpty() && !write.fits(entry))) {
                    return;
                }
                queue.take();
            }
            writes.add(write);
            try {
                write.addTo(entry);
            } catch (FormatException | IllegalArgumentException e) {
                writes.removeLast();
                synchronized (lock) {
                    queue.released(write);
                }
                String message = String.valueOf(e.getMessage());
                write.result().complete(Refusals.answered(replica.partition(), ErrorCode.BAD_REQUEST, message));
            }
        }
    }

    private void append(ByteBuffer entry, List<PendingWrite> writes) {
        counters.entries.increment();
        counters.requests.add(writes.size());
        counters.entryBytes.add(entry.remaining());
        long sentNanos = System.nanoTime();
        CompletableFuture.completedStage(entry)
                .thenCompose(log::append)
                .whenComplete((reply, failure) -> executor.execute(() -> {
                    boolean send;
                    synchronized (lock) {
                        queue.returned(writes);
                        long now = System.nanoTime();
                        pace.answered(now, now - sentNanos, queue.waiting() > 0);
                        send = startSending();
                    }
                    if (send) {
                        executor.execute(this::send);
                    }
                    complete(writes, reply, failure);
                }));
    }

    private void complete(List<PendingWrite> writes, byte @Nullable [] reply, @Nullable Throwable failure) {
        if (reply == null || failure != null) {
            WriteResult result = failure == null
                    ? Refusals.unknown("the log gave no reply")
                    : Refusals.failed(replica.partition(), failure);
            writes.forEach(write -> write.result().complete(result));
            return;
        }
        List<AppendOutcome> outcomes = outcomes(reply);
        for (int i = 0; i < writes.size(); i++) {
            AppendOutcome outcome = i < outcomes.size()
                    ? outcomes.get(i)
                    : new AppendOutcome.Unknown(
                            "reply: expected " + writes.size() + " outcomes, found " + outcomes.size());
            writes.get(i).result().complete(new WriteResult.Answered(outcome));
        }
    }

    private List<AppendOutcome> outcomes(byte[] reply) {
        try {
            return ApplyReply.decode(reply).outcomes();
        } catch (RuntimeException e) {
            LOG.error("partition {}: the log's reply can't be read", replica.partition(), e);
            return List.of();
        }
    }

    private void refuseWaiting(String message) {
        List<PendingWrite> left;
        synchronized (lock) {
            left = queue.drain();
        }
        left.forEach(write -> write.result().complete(elsewhere(message)));
    }

    private WriteResult elsewhere(String message) {
        return Refusals.elsewhere(replica.partition(), null, message);
    }
}
