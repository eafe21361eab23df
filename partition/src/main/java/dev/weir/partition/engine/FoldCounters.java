package dev.weir.partition.engine;

/**
 * What a replica has folded since its process started, for status and metrics. Written by the apply thread; others read values that may be a
 * moment old.
 */
final class FoldCounters {
    long entries;
    long entryBytes;
    long inserted;
    long updated;
    long voided;
    long events;
    long repeatedBatches;
    long repeatedUnits;
    long flushes;
    long flushedRows;
    long voidFlushes;
    long compactions;
    long voidCompactions;
    long coveredFiles;
    long retentionDeletes;
    long quarantines;
    long voidQuarantines;
    long moves;
    long voidMoves;
}
