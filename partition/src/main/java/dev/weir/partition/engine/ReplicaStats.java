package dev.weir.partition.engine;

import dev.weir.partition.engine.ReplicaFeed.Head;
import dev.weir.wal.segment.SegmentLog;

/**
 * What a replica holds and has done, for status and metrics; values may be a moment old.
 *
 * @param firstSeq seq of the partition's first event ever
 * @param oldestSeq of the whole history, what was moved to the store too
 * @param segmentBytes of all change segments kept on this node's disk
 * @param bufferedRows points held in buffers
 * @param series defined by the log, those of dropped tables included
 * @param definitionBytes of their tags
 * @param entries applied since the process started, as all that follow
 * @param repeatedBatches requests answered from memory, having been applied before, by batch
 * @param repeatedUnits likewise by idempotency key
 */
public record ReplicaStats(
        long firstSeq,
        long oldestSeq,
        long nextSeq,
        long lastCommittedAtNanos,
        long resolvedAtNanos,
        long segmentBytes,
        int segments,
        long bufferedRows,
        int series,
        long definitionBytes,
        long entries,
        long entryBytes,
        long events,
        long inserted,
        long updated,
        long voided,
        long repeatedBatches,
        long repeatedUnits) {
    static final ReplicaStats CLOSED = new ReplicaStats(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    static ReplicaStats of(OpenReplica open, Head head, FoldCounters counters) {
        SegmentLog segments = open.segments();
        return new ReplicaStats(
                head.firstSeq(),
                open.history().oldestSeq(),
                head.nextSeq(),
                head.lastCommittedAtNanos(),
                head.resolvedAtNanos(),
                segments.bytes(),
                segments.segments().size(),
                open.bufferedRows(),
                open.definitions().seriesCount(),
                open.definitions().tagBytes(),
                counters.entries,
                counters.entryBytes,
                counters.events,
                counters.inserted,
                counters.updated,
                counters.voided,
                counters.repeatedBatches,
                counters.repeatedUnits);
    }
}
