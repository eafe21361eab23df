package dev.weir.partition.engine;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.agrona.collections.LongArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Where the newest points of a table's series were written: of each series that is asked for, the seqs of the events that wrote its newest point.
 * Gathered from one replica at one cut.
 */
final class NewestPoints {
    /** Of more series nothing is gathered: looking through them would hold up apply. */
    static final int SERIES_MAX = 20_000;

    private final DefinitionTable definitions;
    private final RowPick pick;
    private final TableDirectory.Table table;
    private final int[] known;
    private final int[] matching;

    private NewestPoints(DefinitionTable definitions, RowPick pick, TableDirectory.Table table, int[] known) {
        this.definitions = definitions;
        this.pick = pick;
        this.table = table;
        this.known = known;
        this.matching = pick.tags().isEmpty()
                ? known
                : Arrays.stream(known).filter(this::matches).toArray();
    }

    /**
     * Looks for the series; outside of the replica's lock, before the cut.
     *
     * @param series all of the table, copied under the lock
     */
    static NewestPoints among(DefinitionTable definitions, RowPick pick, TableDirectory.Table table, int[] series) {
        return new NewestPoints(definitions, pick, table, series);
    }

    /**
     * Ascending. Called under the lock. Null where the log cannot tell the newest points: their events were trimmed or are not known, a newest
     * point is later than what is asked for (an older one may count then), or there are too many series.
     */
    long @Nullable [] seqs(PointStore points, long oldestSeq) {
        if (table.seriesCount() > SERIES_MAX) {
            return null;
        }
        LongArrayList found = new LongArrayList(matching.length, Long.MIN_VALUE);
        int[] since = IntStream.range(known.length, table.seriesCount())
                .map(table::series)
                .filter(this::matches)
                .toArray();
        boolean told = Arrays.stream(matching).allMatch(series -> add(series, points, oldestSeq, found))
                && Arrays.stream(since).allMatch(series -> add(series, points, oldestSeq, found));
        if (!told) {
            return null;
        }
        long[] seqs = found.toLongArray();
        Arrays.sort(seqs);
        return seqs;
    }

    private boolean add(int series, PointStore points, long oldestSeq, LongArrayList found) {
        if (points.times().count(series) == 0) {
            return true;
        }
        long @Nullable [] seqs = points.latest().seqs(series);
        if (seqs == null
                || seqs.length == 0
                || seqs[0] < oldestSeq
                || points.times().newest(series) > pick.toNanos()) {
            return false;
        }
        for (long seq : seqs) {
            found.addLong(seq);
        }
        return true;
    }

    private boolean matches(int series) {
        return pick.means(definitions.tags(series));
    }
}
