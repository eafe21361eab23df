package dev.weir.partition.engine;

import dev.weir.partition.engine.TableBuffers.TableBuffer;
import dev.weir.partition.entry.Section.FlushSection;
import dev.weir.partition.entry.StoredFile;
import dev.weir.partition.store.ObjectStore;
import dev.weir.partition.store.StoreException;
import dev.weir.wal.LogException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Makes files of a partition's buffers, on the node that leads it: writes and stores them, then commits them through the log.
 *
 * <p>Threading: any thread; calls block on disk, store and log, one at a time. What a failed call has stored belongs to nobody, and the next call
 * begins anew: nothing is lost and nothing doubled.
 */
public final class PartitionFlusher {
    private static final long COMMIT_SECONDS = 30;

    private final PartitionReplica replica;
    private final PartitionWriter writer;
    private final ObjectStore store;
    private final Path temporary;
    private final FlushPolicy policy;
    private final LongSupplier clockNanos;
    /** One flush at a time: two would write the same rows, and one of them in vain. */
    private final ReentrantLock one = new ReentrantLock();

    private final Map<Integer, Long> lastFlushNanos = new HashMap<>();

    /**
     * @param temporary a folder on this node's disk for files being written
     * @param clockNanos wall clock, ns since 1970
     */
    public PartitionFlusher(
            PartitionReplica replica,
            PartitionWriter writer,
            ObjectStore store,
            Path temporary,
            FlushPolicy policy,
            LongSupplier clockNanos) {
        this.replica = replica;
        this.writer = writer;
        this.store = store;
        this.temporary = temporary;
        this.policy = policy;
        this.clockNanos = clockNanos;
    }

    /**
     * Flushes the tables that are due; returns how many. Nothing while this replica does not lead.
     *
     * @throws StoreException the store failed beyond its retries
     * @throws IOException this node's disk or the log failed
     */
    public int flushDue() throws IOException, StoreException, InterruptedException {
        long now = clockNanos.getAsLong();
        int flushed = 0;
        for (TableBuffer buffer : waiting()) {
            long last = lastFlush(buffer.tableId());
            if (policy.isDue(buffer, now, last) && flush(buffer.tableId())) {
                flushed++;
            }
        }
        return flushed;
    }

    /** Flushes every table that has buffered rows, as {@link #flushDue}. */
    public int flushAll() throws IOException, StoreException, InterruptedException {
        int flushed = 0;
        for (TableBuffer buffer : waiting()) {
            if (flush(buffer.tableId())) {
                flushed++;
            }
        }
        return flushed;
    }

    /**
     * Flushes what the table has buffered by now. Returns whether files were committed; false where there was nothing to flush, or another leader
     * was faster.
     */
    public boolean flush(int tableId) throws IOException, StoreException, InterruptedException {
        one.lockInterruptibly();
        try {
            if (!replica.leadership().leads()) {
                return false;
            }
            boolean committed = false;
            // A flush that met its limit of days leaves rows behind.
            for (boolean more = true; more; ) {
                OpenReplica open = replica.opened();
                long end = open.head().nextSeq();
                FlushSection section = new TableFlush(replica.partition(), open, store, temporary).write(tableId);
                more = section != null && section.toSeq() + 1 < end;
                if (section != null) {
                    commit(section);
                    committed |= holds(section);
                    more &= committed;
                }
            }
            lastFlushNanos.put(tableId, clockNanos.getAsLong());
            return committed;
        } finally {
            one.unlock();
        }
    }

    private List<TableBuffer> waiting() {
        return replica.leadership().leads() ? replica.opened().buffers() : List.of();
    }

    private long lastFlush(int tableId) throws InterruptedException {
        one.lockInterruptibly();
        try {
            return lastFlushNanos.getOrDefault(tableId, Long.MIN_VALUE);
        } finally {
            one.unlock();
        }
    }

    private void commit(FlushSection section) throws IOException, InterruptedException {
        try {
            writer.flush(section).toCompletableFuture().get(COMMIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            String why = cause instanceof LogException ? cause.getMessage() : String.valueOf(cause);
            throw new IOException("partition " + replica.partition() + ": committing a flush: " + why, cause);
        } catch (TimeoutException e) {
            throw new IOException(
                    "partition " + replica.partition() + ": committing a flush: no answer in " + COMMIT_SECONDS + " s",
                    e);
        }
    }

    private boolean holds(FlushSection section) {
        return replica.opened()
                .cut(section.tableId())
                .map(cut -> cut.files().flushedThrough() >= section.toSeq()
                        && cut.files()
                                .holds(section.files().stream()
                                        .map(StoredFile::key)
                                        .toList()))
                .orElse(false);
    }
}
