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
    private final DefinitionTable definitions;
    private final RowPick pick;
    private final TableDirectory.Table table;
    private final int known;
    private final int[] matching;

    /**
     * Looks for the series; outside of the replica's lock, before the cut.
     *
     * @param known series of the table, copied under the lock
     */
    NewestPoints(DefinitionTable definitions, RowPick pick, TableDirectory.Table table, int[] known) {
        this.definitions = definitions;
        this.pick = pick;
        this.table = table;
        this.known = known.length;
        this.matching = pick.tags().isEmpty()
                ? known
                : Arrays.stream(known).filter(this::matches).toArray();
    }

    /**
     * Ascending. Called under the lock. Null where the log cannot tell the newest points: their events were trimmed or are not known, or a newest
     * point is later than what is asked for (an older one may count then).
     */
    long @Nullable [] seqs(PointStore points, long oldestSeq) {
        LongArrayList found = new LongArrayList(matching.length, Long.MIN_VALUE);
        int[] since = IntStream.range(known, table.seriesCount())
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
