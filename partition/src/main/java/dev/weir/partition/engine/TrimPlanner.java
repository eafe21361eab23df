package dev.weir.partition.engine;

import dev.weir.partition.entry.MovedSegment;
import dev.weir.wal.segment.SegmentFile;
import java.io.IOException;
import java.util.List;

/**
 * Finds how much history may go: the oldest moved and sealed segments that are beyond the retention, that nobody holds, and that have no row that only the log has. Used by
 * the leader, one call at a time; blocks on the disk. What it finds is proposed as a log entry and holds on every replica.
 */
final class TrimPlanner {
    private final OpenReplica replica;
    private final LiveRows liveRows;

    TrimPlanner(OpenReplica replica) {
        this.replica = replica;
        this.liveRows = new LiveRows(replica);
    }

    /**
     * Events before the answer may go; 0 where none may.
     *
     * @param holds what is held beyond the retention
     */
    long plan(long retentionBytes, long oldestCommitNanos, List<LogHold> holds) throws IOException {
        // In this order: what is moved meanwhile counts too little, not twice; what was moved and is here still, only
        // once.
        MovedHistory moved = replica.history().moved();
        List<SegmentFile> here = replica.segments().segments();
        long kept = moved.bytes()
                + here.stream().mapToLong(segment -> bytes(moved, segment)).sum();
        long trim = 0;
        for (MovedSegment segment : moved.segments()) {
            long beyond = kept - retentionBytes;
            if (stays(segment.nextSeq(), segment.lastCommittedAtNanos(), beyond, oldestCommitNanos, holds)) {
                return trim;
            }
            kept -= segment.bytes();
            trim = segment.nextSeq();
        }
        for (SegmentFile segment : here) {
            if (segment.nextSeq() <= trim) {
                continue;
            }
            long beyond = kept - retentionBytes;
            if (!segment.sealed()
                    || stays(segment.nextSeq(), segment.lastCommittedAtNanos(), beyond, oldestCommitNanos, holds)
                    || liveRows.isIn(segment)) {
                return trim;
            }
            kept -= bytes(moved, segment);
            trim = segment.nextSeq();
        }
        return trim;
    }

    private static long bytes(MovedHistory moved, SegmentFile here) {
        return Math.round(moved.bytesBehind(here, here.firstSeq()));
    }

    /** @param beyondBytes that the history has, from the segment on, more than retention keeps */
    private static boolean stays(
            long nextSeq, long lastCommittedAtNanos, long beyondBytes, long oldestCommitNanos, List<LogHold> holds) {
        boolean isBeyond = beyondBytes > 0 || lastCommittedAtNanos < oldestCommitNanos;
        return !isBeyond || holds.stream().anyMatch(hold -> hold.holds(nextSeq, lastCommittedAtNanos, beyondBytes));
    }
}
