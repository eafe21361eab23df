package dev.weir.partition.engine;

import dev.weir.partition.engine.OpenReplica.TableCut;
import dev.weir.partition.engine.TableBuffers.TableBuffer;
import dev.weir.partition.entry.Section.FlushSection;
import dev.weir.partition.entry.StoredFile;
import dev.weir.partition.store.FileCache;
import dev.weir.partition.store.StoreClaim;
import dev.weir.partition.store.StoreException;
import dev.weir.wal.LogException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Makes files of a partition's buffers and merges them, on the node that leads it: writes and stores them, then commits them through the log.
 *
 * <p>Threading: any thread; calls block on disk, store and log, one at a time. What a failed call has stored belongs to nobody, and the next call
 * begins anew: nothing is lost and nothing doubled.
 */
public final class PartitionFlusher {
    private static final long COMMIT_SECONDS = 30;

    private final PartitionReplica replica;
    private final PartitionWriter writer;
    private final FileOutput output;
    private final FileCache cache;
    private final StoreClaim claim;
    private final FlushPolicy policy;
    private final LongSupplier clockNanos;
    /** One flush at a time: two would write the same rows, and one of them in vain. */
    private final ReentrantLock one = new ReentrantLock();

    private final OrphanSweep orphans;
    private final Map<Integer, Long> lastFlushNanos = new HashMap<>();

    /**
     * @param cache of the store in which files go; compactions read through it
     * @param claim of the store, asked for before anything is written or removed
     * @param temporary a folder on this node's disk for files being written
     * @param clockNanos wall clock, ns since 1970
     */
    public PartitionFlusher(
            PartitionReplica replica,
            PartitionWriter writer,
            FileCache cache,
            StoreClaim claim,
            Path temporary,
            FlushPolicy policy,
            LongSupplier clockNanos) {
        this.replica = replica;
        this.writer = writer;
        this.cache = cache;
        this.claim = claim;
        this.orphans = new OrphanSweep(replica.partition(), cache.store());
        this.output = new FileOutput(cache.store(), temporary);
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
            claim.require();
            boolean committed = false;
            // A flush that met its limit of days leaves rows behind.
            for (boolean more = true; more; ) {
                OpenReplica open = replica.opened();
                long end = open.head().nextSeq();
                FlushSection section = new TableFlush(replica.partition(), open, output).write(tableId);
                more = section != null && section.toSeq() + 1 < end;
                if (section != null) {
                    commit(writer.flush(section), "a flush");
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

    /** Merges files of the tables here where there are many small ones; returns how many merges were proposed. As {@link #flushDue}. */
    public int compactDue() throws IOException, StoreException, InterruptedException {
        int merges = 0;
        for (int tableId : replica.leadership().leads() ? replica.opened().tablesWithFiles() : List.<Integer>of()) {
            merges += compact(tableId, false);
        }
        return merges;
    }

    /** Merges all files of a table, day by day, as far as they fit into one; returns how many merges were proposed. */
    public int compact(int tableId) throws IOException, StoreException, InterruptedException {
        return compact(tableId, true);
    }

    private int compact(int tableId, boolean all) throws IOException, StoreException, InterruptedException {
        one.lockInterruptibly();
        try {
            TableCut cut = replica.opened().cut(tableId).orElse(null);
            if (cut == null || !replica.leadership().leads()) {
                return 0;
            }
            claim.require();
            List<CompactionPlan> plans = CompactionPlan.of(cut.files().files(), all);
            for (CompactionPlan plan : plans) {
                TableCompaction compaction = new TableCompaction(replica.partition(), cache, output);
                commit(writer.compact(compaction.run(cut, plan)), "a compaction");
            }
            return plans.size();
        } finally {
            one.unlock();
        }
    }

    /**
     * Removes files of this partition that belong to nobody, an hour after they were first seen so. Nothing while this replica does not lead. Blocks on the
     * store.
     */
    public void sweep() throws IOException, StoreException, InterruptedException {
        one.lockInterruptibly();
        try {
            if (replica.leadership().leads()) {
                claim.require();
                OpenReplica.FileNames names = replica.opened().fileNames();
                orphans.sweep(names.prefixes(), names.named(), System.nanoTime());
            }
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

    private void commit(CompletionStage<Void> proposed, String what) throws IOException, InterruptedException {
        try {
            proposed.toCompletableFuture().get(COMMIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            String why = cause instanceof LogException ? cause.getMessage() : String.valueOf(cause);
            throw new IOException("partition " + replica.partition() + ": committing " + what + ": " + why, cause);
        } catch (TimeoutException e) {
            throw new IOException(
                    "partition " + replica.partition() + ": committing " + what + ": no answer in " + COMMIT_SECONDS
                            + " s",
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
