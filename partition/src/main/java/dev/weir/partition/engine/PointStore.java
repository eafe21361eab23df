package dev.weir.partition.engine;

import dev.weir.partition.model.Tag;
import java.util.List;
import java.util.OptionalLong;
import org.agrona.collections.Long2LongHashMap;

/**
 * Which points exist, by series, and where the newest of each was written: in memory and in key runs, with the newest point of a series always in
 * memory. Changed by apply and, in the same way, by reading back the change segments after a restart. Single-threaded.
 */
final class PointStore {
    private final DefinitionTable definitions;
    private final KeyRuns older;
    private final PointTimes times = new PointTimes();
    private final LatestRefs latest = new LatestRefs();
    private final Long2LongHashMap deletedThrough = new Long2LongHashMap(0);

    PointStore(DefinitionTable definitions, KeyRuns older) {
        this.definitions = definitions;
        this.older = older;
    }

    /** A row was written. Returns whether a point with this series and timestamp existed. */
    boolean write(int series, long time, long seq) {
        int found = times.add(series, time);
        if (found == PointTimes.ADDED_NEWEST) {
            latest.newer(series, seq);
            if (times.count(series) == 1) {
                alive(series, 1);
            }
            return false;
        }
        if (found == PointTimes.EXISTED_NEWEST) {
            latest.again(series, seq);
        }
        return found != PointTimes.ADDED_OLDER || older.contains(series, time);
    }

    boolean contains(int series, long time) {
        return times.contains(series, time) || older.contains(series, time);
    }

    /** The newest point of a series, of a snapshot. */
    void restore(int series, long time, long[] seqs) {
        times.add(series, time);
        alive(series, 1);
        latest.restore(series, seqs);
    }

    /**
     * The event wrote a row that the log alone has. Answers true too for a row that a range delete removed and that was written again since.
     *
     * @param flushedThrough of the row's table
     */
    boolean needsLog(int series, long time, long seq, long flushedThrough) {
        return seq > flushedThrough && seq > deletedThrough.get(series) && contains(series, time);
    }

    void deleteSeries(int series, long seq) {
        deletedThrough.put(series, seq);
        if (times.count(series) > 0) {
            older.deleteRange(series, Long.MIN_VALUE, Long.MAX_VALUE);
        }
        clear(series);
    }

    /** Its points in key runs need no mark: a dropped table is never asked for again. */
    void dropTable(int tableId) {
        TableDirectory.Table table = definitions.tables().table(tableId);
        if (table != null) {
            for (int i = 0; i < table.seriesCount(); i++) {
                clear(table.series(i));
            }
        }
    }

    /** Deletes the points of a table's series with all these tags between two times, both inclusive. */
    void deleteRange(int tableId, List<Tag> predicate, long from, long to) {
        boolean all = predicate.isEmpty();
        if (all) {
            older.deleteTable(tableId, from, to);
        }
        TableDirectory.Table table = definitions.tables().table(tableId);
        for (int i = 0; table != null && i < table.seriesCount(); i++) {
            int series = table.series(i);
            if (times.count(series) > 0 && (all || definitions.tags(series).containsAll(predicate))) {
                if (!all) {
                    older.deleteRange(series, from, to);
                }
                deleteRange(series, from, to);
            }
        }
    }

    PointTimes times() {
        return times;
    }

    LatestRefs latest() {
        return latest;
    }

    KeyRuns older() {
        return older;
    }

    /** What of the series is in memory; {@link KeyRuns} know of the delete. */
    private void deleteRange(int series, long from, long to) {
        long newest = times.newest(series);
        if (times.oldest(series) <= to) {
            times.removeRange(series, from, to);
        }
        if (newest < from || newest > to) {
            return;
        }
        // The newest point went: what is left lies before the range.
        OptionalLong next = from == Long.MIN_VALUE ? OptionalLong.empty() : older.floor(series, from - 1);
        if (next.isPresent() && (times.count(series) == 0 || times.newest(series) < next.getAsLong())) {
            times.add(series, next.getAsLong());
        }
        if (times.count(series) == 0) {
            latest.clear(series);
            alive(series, -1);
        } else {
            latest.lose(series);
        }
    }

    private void clear(int series) {
        if (times.clear(series) > 0) {
            alive(series, -1);
        }
        latest.clear(series);
    }

    private void alive(int series, int more) {
        definitions.tables().alive(definitions.tableOf(series), more);
    }
}
