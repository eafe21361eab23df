package dev.weir.partition.engine;

import dev.weir.partition.entry.RecordKeys;
import dev.weir.partition.entry.TableEvent;
import dev.weir.partition.model.EventType;
import dev.weir.wal.segment.SegmentLog;
import dev.weir.wal.segment.SegmentRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the events that wrote given points by reading the segments: for points that became their series' newest since a newer one was deleted.
 * Used by one thread; blocks on the disk.
 */
final class PointSearch implements RecordKeys.Visitor {
    private static final int READ_BYTES = 4 << 20;

    private final SegmentLog log;
    private final DefinitionTable definitions;
    private final Map<Integer, Sought> bySeries = new HashMap<>();

    /** Told of each point's events. */
    interface Target {
        void found(int point, long[] seqs);
    }

    private static final class Sought {
        private final int point;
        private final long time;
        private long[] seqs = new long[2];
        private int count;

        private Sought(int point, long time) {
            this.point = point;
            this.time = time;
        }

        private void add(long seq) {
            if (count == seqs.length) {
                seqs = Arrays.copyOf(seqs, count * 2);
            }
            seqs[count++] = seq;
        }
    }

    PointSearch(SegmentLog log, DefinitionTable definitions) {
        this.log = log;
        this.definitions = definitions;
    }

    void add(int series, long time, int point) {
        bySeries.put(series, new Sought(point, time));
    }

    /** Searches the events from {@code fromSeq}, or some earlier ones too, to before {@code endSeq}, which is where a record begins. */
    void run(long fromSeq, long endSeq, Target target) throws IOException {
        if (bySeries.isEmpty()) {
            return;
        }
        for (long seq = fromSeq; seq < endSeq; ) {
            for (SegmentRecord record : log.read(seq, READ_BYTES)) {
                if (record.firstSeq() < endSeq) {
                    RecordKeys.read(record, this);
                }
                seq = record.nextSeq();
            }
        }
        for (Sought sought : bySeries.values()) {
            target.found(sought.point, Arrays.copyOf(sought.seqs, sought.count));
        }
    }

    @Override
    public void rows(RecordKeys.Rows rows) {
        int[] ids = rows.seriesIds();
        int[] refs = rows.seriesRefs();
        long[] times = rows.timestamps();
        for (int event = 0; event < rows.events(); event++) {
            int row = rows.row(event);
            Sought sought = bySeries.get(ids[refs[row]]);
            if (sought != null && sought.time == times[row]) {
                sought.add(rows.firstSeq() + event);
            }
        }
    }

    @Override
    public void event(long seq, TableEvent event) {
        if (event.type() == EventType.SCHEMA_CHANGED) {
            return;
        }
        List<Sought> deleted = new ArrayList<>();
        bySeries.forEach((series, sought) -> {
            if (covers(event, series, sought.time)) {
                deleted.add(sought);
            }
        });
        deleted.forEach(sought -> sought.count = 0);
    }

    private boolean covers(TableEvent event, int series, long time) {
        if (definitions.tableOf(series) != event.tableId()) {
            return false;
        }
        if (event.type() == EventType.RANGE_DELETED) {
            EventDetails.Range range = EventDetails.range(event.detailJson());
            return time >= range.fromNanos()
                    && time <= range.toNanos()
                    && definitions.tags(series).containsAll(range.predicate());
        }
        return event.type() == EventType.MEASUREMENT_DROPPED || definitions.hash(series) == event.seriesHash();
    }
}
