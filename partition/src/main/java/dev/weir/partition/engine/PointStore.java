package dev.weir.partition.engine;

import dev.weir.partition.model.Tag;
import java.util.List;
import org.agrona.collections.Long2LongHashMap;

/**
 * Which points exist, by series: key sets and the places of the newest points. Changed by apply and, in the same way, by reading back the change
 * segments after a restart. Single-threaded.
 */
final class PointStore {
    private final DefinitionTable definitions;
    private final FlushedPoints flushed;
    private final PointTimes times = new PointTimes();
    private final LatestRefs latest = new LatestRefs();
    private final Long2LongHashMap deletedThrough = new Long2LongHashMap(0);

    PointStore(DefinitionTable definitions, FlushedPoints flushed) {
        this.definitions = definitions;
        this.flushed = flushed;
    }

    /** A row was written. Returns whether a point with this series and timestamp existed. */
    boolean write(int series, long time, long seq) {
        int found = times.add(series, time);
        if (found == PointTimes.ADDED_NEWEST) {
            latest.newer(series, seq);
            return false;
        }
        if (found == PointTimes.EXISTED_NEWEST) {
            latest.again(series, seq);
        }
        return found != PointTimes.ADDED_OLDER || flushed.contains(series, time);
    }

    boolean contains(int series, long time) {
        return times.contains(series, time) || flushed.contains(series, time);
    }

    /**
     * The event wrote a row that the table still has. Answers true too for a row that a range delete removed and that was written again since.
     */
    boolean isLive(int series, long time, long seq) {
        return times.contains(series, time) && seq > deletedThrough.get(series);
    }

    void deleteSeries(int series, long seq) {
        deletedThrough.put(series, seq);
        times.clear(series);
        latest.clear(series);
        flushed.deleteRange(series, Long.MIN_VALUE, Long.MAX_VALUE, seq);
    }

    void dropTable(int tableId, long seq) {
        TableDirectory.Table table = definitions.tables().table(tableId);
        if (table != null) {
            for (int i = 0; i < table.seriesCount(); i++) {
                times.clear(table.series(i));
                latest.clear(table.series(i));
            }
        }
        flushed.dropTable(tableId, seq);
    }

    /** Deletes the points of a table's series with all these tags between two times, both inclusive. */
    void deleteRange(int tableId, List<Tag> predicate, long from, long to, long seq) {
        TableDirectory.Table table = definitions.tables().table(tableId);
        for (int i = 0; table != null && i < table.seriesCount(); i++) {
            int series = table.series(i);
            if (definitions.tags(series).containsAll(predicate)) {
                deleteRange(series, from, to);
                flushed.deleteRange(series, from, to, seq);
            }
        }
    }

    /** Points buffered, and events beyond one that wrote the newest of them. */
    long rows() {
        return times.points() + latest.earlierCount();
    }

    PointTimes times() {
        return times;
    }

    LatestRefs latest() {
        return latest;
    }

    private void deleteRange(int series, long from, long to) {
        if (times.count(series) == 0) {
            return;
        }
        boolean newestGoes = times.newest(series) >= from && times.newest(series) <= to;
        times.removeRange(series, from, to);
        if (times.count(series) == 0) {
            latest.clear(series);
        } else if (newestGoes) {
            latest.lose(series);
        }
    }
}
