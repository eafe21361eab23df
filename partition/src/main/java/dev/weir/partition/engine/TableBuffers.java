package dev.weir.partition.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How much of each table waits to be flushed: rows written since, since when. For the planner of flushes alone, so it may be inexact where
 * a replica has just become the leader. The apply thread writes; others hold the replica's lock.
 */
final class TableBuffers {
    private final Map<Integer, Counts> byTable = new HashMap<>();
    private long rows;
    private long bytes;

    private static final class Counts {
        private long rows;
        private long bytes;
        private long firstSeq;
        private long lastSeq;
        private long firstCommittedAtNanos;
        private long oldestNanos = Long.MAX_VALUE;
    }

    /**
     * @param firstSeq of the oldest row that waits; rows before it are in files
     * @param bytes encoded
     * @param firstCommittedAtNanos commit time of the oldest row, or earlier
     */
    record TableBuffer(int tableId, long rows, long bytes, long firstSeq, long firstCommittedAtNanos) {}

    /** @param oldestNanos no row has an earlier timestamp */
    void written(int tableId, int count, long bytes, long firstSeq, long committedAtNanos, long oldestNanos) {
        Counts counts = byTable.computeIfAbsent(tableId, id -> new Counts());
        if (counts.rows == 0) {
            counts.firstSeq = firstSeq;
            counts.firstCommittedAtNanos = committedAtNanos;
        }
        counts.oldestNanos = Math.min(counts.oldestNanos, oldestNanos);
        counts.rows += count;
        counts.bytes += bytes;
        counts.lastSeq = firstSeq + count - 1;
        rows += count;
        this.bytes += bytes;
    }

    /**
     * A flush took the rows up to {@code throughSeq}: so many events had written them.
     *
     * @param lastCommittedAtNanos no row that is left was committed earlier
     */
    void flushed(int tableId, long throughSeq, long lastCommittedAtNanos) {
        Counts counts = byTable.get(tableId);
        if (counts == null || counts.rows == 0) {
            return;
        }
        if (counts.lastSeq <= throughSeq) {
            dropped(tableId);
            return;
        }
        // What came after the cut is at most the run of seqs after it.
        long left = Math.min(counts.rows, counts.lastSeq - throughSeq);
        long bytesLeft = counts.bytes * left / counts.rows;
        bytes -= counts.bytes - bytesLeft;
        counts.bytes = bytesLeft;
        rows -= counts.rows - left;
        counts.rows = left;
        counts.firstSeq = throughSeq + 1;
        counts.firstCommittedAtNanos = lastCommittedAtNanos;
    }

    /** All rows with timestamps up to this one were deleted; they wait on, to be left out of a file. */
    void deletedThrough(int tableId, long toNanos) {
        Counts counts = byTable.get(tableId);
        if (counts != null && counts.oldestNanos <= toNanos && toNanos < Long.MAX_VALUE) {
            counts.oldestNanos = toNanos + 1;
        }
    }

    /** No row of the table that waits and is part of it is older; {@link Long#MAX_VALUE} where none waits. */
    long oldestNanos(int tableId) {
        Counts counts = byTable.get(tableId);
        return counts == null || counts.rows == 0 ? Long.MAX_VALUE : counts.oldestNanos;
    }

    void dropped(int tableId) {
        Counts counts = byTable.remove(tableId);
        if (counts != null) {
            rows -= counts.rows;
            bytes -= counts.bytes;
        }
    }

    /** Seq of the table's oldest row that waits, {@code otherwise} where none does. */
    long firstSeq(int tableId, long otherwise) {
        Counts counts = byTable.get(tableId);
        return counts == null || counts.rows == 0 ? otherwise : counts.firstSeq;
    }

    /** Rows of all tables. */
    long rows() {
        return rows;
    }

    /** Of their fields, encoded. */
    long bytes() {
        return bytes;
    }

    List<TableBuffer> all() {
        List<TableBuffer> all = new ArrayList<>();
        byTable.forEach((id, counts) ->
                all.add(new TableBuffer(id, counts.rows, counts.bytes, counts.firstSeq, counts.firstCommittedAtNanos)));
        return all;
    }
}
