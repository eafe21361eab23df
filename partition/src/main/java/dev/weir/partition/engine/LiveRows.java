package dev.weir.partition.engine;

import dev.weir.partition.entry.RecordKeys;
import dev.weir.partition.entry.TableEvent;
import dev.weir.wal.segment.SegmentFile;
import dev.weir.wal.segment.SegmentLog;
import dev.weir.wal.segment.SegmentRecord;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds out whether change segments hold rows that only the log has. One call at a time; blocks on the disk. */
final class LiveRows {
    private static final int READ_BYTES = 4 << 20;

    private final OpenReplica replica;
    private @Nullable LiveRow blocking;

    /** A row that keeps its segment. */
    private record LiveRow(int table, int series, long time, long seq) {}

    LiveRows(OpenReplica replica) {
        this.replica = replica;
    }

    /** The row that was found last is looked at first. */
    boolean isIn(SegmentFile segment) throws IOException {
        LiveRow before = blocking;
        if (before != null && before.seq >= segment.firstSeq() && before.seq < segment.nextSeq() && isLive(before)) {
            return true;
        }
        SegmentLog log = replica.segments();
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
