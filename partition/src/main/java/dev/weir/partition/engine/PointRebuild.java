package dev.weir.partition.engine;

import dev.weir.partition.entry.RecordKeys;
import dev.weir.partition.entry.TableEvent;
import dev.weir.wal.segment.SegmentLog;
import dev.weir.wal.segment.SegmentRecord;
import java.io.IOException;

/**
 * Folds change segments into a {@link PointStore} again after a restart: series and timestamps of rows, and deletes. Columns are not decoded.
 */
final class PointRebuild implements RecordKeys.Visitor {
    private static final int READ_BYTES = 4 << 20;

    private final DefinitionTable definitions;
    private final PointStore points;

    private PointRebuild(DefinitionTable definitions, PointStore points) {
        this.definitions = definitions;
        this.points = points;
    }

    static void run(SegmentLog log, DefinitionTable definitions, PointStore points) throws IOException {
        PointRebuild rebuild = new PointRebuild(definitions, points);
        long seq = log.oldestSeq();
        while (seq < log.nextSeq()) {
            for (SegmentRecord record : log.read(seq, READ_BYTES)) {
                RecordKeys.read(record, rebuild);
                seq = record.nextSeq();
            }
        }
    }

    @Override
    public void rows(RecordKeys.Rows rows) {
        int[] ids = rows.seriesIds();
        int[] refs = rows.seriesRefs();
        long[] times = rows.timestamps();
        long seq = rows.firstSeq();
        for (int event = 0; event < rows.events(); event++) {
            int row = rows.row(event);
            points.write(ids[refs[row]], times[row], seq++);
        }
    }

    @Override
    public void event(long seq, TableEvent event) {
        apply(seq, event, definitions, points);
    }

    static void apply(long seq, TableEvent event, DefinitionTable definitions, PointStore points) {
        switch (event.type()) {
            case SERIES_DELETED -> {
                byte[] tags = event.canonicalTags();
                int series = tags == null
                        ? -1
                        : definitions.seriesId(event.tableId(), event.seriesHash(), tags, 0, tags.length);
                if (series >= 0) {
                    points.deleteSeries(series, seq);
                }
            }
            case MEASUREMENT_DROPPED -> points.dropTable(event.tableId(), seq);
            case RANGE_DELETED -> {
                EventDetails.Range range = EventDetails.range(event.detailJson());
                points.deleteRange(event.tableId(), range.predicate(), range.fromNanos(), range.toNanos(), seq);
            }
            case SCHEMA_CHANGED -> {}
            case POINT_WRITTEN -> throw new IllegalStateException("a written point is no event of a table");
        }
    }
}
