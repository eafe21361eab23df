package dev.weir.partition.engine;

import dev.weir.partition.entry.RecordKeys;
import dev.weir.partition.entry.TableEvent;
import dev.weir.wal.segment.SegmentFile;
import dev.weir.wal.segment.SegmentLog;
import dev.weir.wal.segment.SegmentRecord;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds how much history may go: the oldest sealed segments that are beyond the retention, that nobody holds, and that have no row that only the log has. Used by the
 * leader, one call at a time; blocks on the disk. What it finds is proposed as a log entry and holds on every replica.
 */
final class TrimPlanner {
    private static final int READ_BYTES = 4 << 20;

    private final OpenReplica replica;
    private @Nullable LiveRow blocking;

    /** A row that keeps its segment. */
    private record LiveRow(int table, int series, long time, long seq) {}

    TrimPlanner(OpenReplica replica) {
        this.replica = replica;
    }

    /**
     * Events before the answer may go; 0 where none may.
     *
     * @param holds what is held beyond the retention
     */
    long plan(long retentionBytes, long oldestCommitNanos, List<LogHold> holds) throws IOException {
        SegmentLog log = replica.segments();
        long kept = log.bytes();
        long trim = 0;
        for (SegmentFile segment : log.segments()) {
            boolean beyond = kept > retentionBytes || segment.lastCommittedAtNanos() < oldestCommitNanos;
            long beyondBytes = kept - retentionBytes;
            if (!segment.sealed()
                    || !beyond
                    || holds.stream().anyMatch(hold -> hold.holds(segment, beyondBytes))
                    || holdsLiveRow(log, segment)) {
                return trim;
            }
            kept -= segment.bytes();
            trim = segment.nextSeq();
        }
        return trim;
    }

    private boolean holdsLiveRow(SegmentLog log, SegmentFile segment) throws IOException {
        LiveRow before = blocking;
        if (before != null && before.seq >= segment.firstSeq() && before.seq < segment.nextSeq() && isLive(before)) {
            return true;
        }
        LiveRowScan scan = new LiveRowScan();
        for (long seq = segment.firstSeq(); seq < segment.nextSeq() && scan.found == null; ) {
            List<SegmentRecord> records = log.read(seq, READ_BYTES);
            for (SegmentRecord record : records) {
                if (record.firstSeq() < segment.nextSeq() && scan.found == null) {
                    RecordKeys.read(record, scan);
                }
                seq = record.nextSeq();
            }
        }
        blocking = scan.found;
        return scan.found != null;
    }

    private boolean isLive(LiveRow row) {
        replica.readLock().lock();
        try {
            return needsLog(row.table, row.series, row.time, row.seq);
        } finally {
            replica.readLock().unlock();
        }
    }

    private boolean needsLog(int table, int series, long time, long seq) {
        PartitionState state = replica.state();
        return state.points()
                .needsLog(series, time, seq, state.facts().files(table).flushedThrough());
    }

    /** Stops at the first row that needs the log. The lock is held for one block's rows at a time. */
    private final class LiveRowScan implements RecordKeys.Visitor {
        private @Nullable LiveRow found;

        @Override
        public void rows(RecordKeys.Rows rows) {
            replica.readLock().lock();
            try {
                PartitionState state = replica.state();
                long flushedThrough = state.facts().files(rows.tableId()).flushedThrough();
                for (int event = 0; event < rows.events() && found == null; event++) {
                    int row = rows.row(event);
                    int series = rows.seriesIds()[rows.seriesRefs()[row]];
                    long seq = rows.firstSeq() + event;
                    if (state.points().needsLog(series, rows.timestamps()[row], seq, flushedThrough)) {
                        found = new LiveRow(rows.tableId(), series, rows.timestamps()[row], seq);
                    }
                }
            } finally {
                replica.readLock().unlock();
            }
        }

        @Override
        public void event(long seq, TableEvent event) {}
    }
}
