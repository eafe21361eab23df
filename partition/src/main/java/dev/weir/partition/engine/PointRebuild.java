package dev.weir.partition.engine;

import dev.weir.partition.entry.RecordKeys;
import dev.weir.partition.entry.TableEvent;

/**
 * Folds change segments into a {@link PointStore} again after a restart: series and timestamps of rows, and deletes. Columns are not decoded.
 */
final class PointRebuild implements RecordKeys.Visitor {
    private final DefinitionTable definitions;
    private final PointStore points;

    PointRebuild(DefinitionTable definitions, PointStore points) {
        this.definitions = definitions;
        this.points = points;
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
            case MEASUREMENT_DROPPED -> points.dropTable(event.tableId());
            case RANGE_DELETED -> {
                EventDetails.Range range = EventDetails.range(event.detailJson());
                points.deleteRange(event.tableId(), range.predicate(), range.fromNanos(), range.toNanos());
            }
            case SCHEMA_CHANGED -> {}
            case POINT_WRITTEN -> throw new IllegalStateException("a written point is no event of a table");
        }
    }
}
