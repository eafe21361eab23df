package dev.weir.partition.engine;

import dev.weir.partition.entry.StoredFile;

/**
 * What a replica's tables have in files, and of which points it knows on disk, for metrics; values may be a moment old.
 *
 * @param fileRows rows in files
 * @param deletesInForce deletes that a file or the buffer does not reflect yet
 * @param keyPoints points in key runs
 * @param keyBytes of key runs on this node's disk
 * @param flushes committed since the process started, as all that follow
 * @param voidFlushes that another flush had overtaken
 * @param coveredFiles that went without being read, since deletes left no row of them
 * @param retentionDeletes range deletes with that cause
 * @param quarantines deletes of rows that were set aside
 * @param voidQuarantines that did not hold, since such rows were written meanwhile
 */
public record FileStats(
        int files,
        long fileRows,
        long fileBytes,
        int deletesInForce,
        long keyPoints,
        long keyBytes,
        long flushes,
        long flushedRows,
        long voidFlushes,
        long compactions,
        long voidCompactions,
        long coveredFiles,
        long retentionDeletes,
        long quarantines,
        long voidQuarantines) {
    static final FileStats CLOSED = new FileStats(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    static FileStats of(PartitionState state, FoldCounters counters) {
        int files = 0;
        long rows = 0;
        long bytes = 0;
        int deletes = 0;
        for (int tableId : state.facts().tablesWithFiles()) {
            FileSet set = state.facts().files(tableId);
            files += set.files().size();
            rows += set.files().stream().mapToLong(StoredFile::rows).sum();
            bytes += set.files().stream().mapToLong(StoredFile::bytes).sum();
            deletes += set.deletes().size();
        }
        KeyRuns keys = state.points().older();
        return new FileStats(
                files,
                rows,
                bytes,
                deletes,
                keys.points(),
                keys.bytes(),
                counters.flushes,
                counters.flushedRows,
                counters.voidFlushes,
                counters.compactions,
                counters.voidCompactions,
                counters.coveredFiles,
                counters.retentionDeletes,
                counters.quarantines,
                counters.voidQuarantines);
    }
}
