package dev.weir.partition.engine;

import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import dev.weir.partition.read.LatestQuery;
import dev.weir.partition.read.ReadResult;
import dev.weir.partition.read.SeriesRow;
import dev.weir.wal.segment.SeqTrimmedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@code latest} and {@code series} of one replica at one cut: what exists and where its events are is copied under the lock, the events
 * are read from the segments after it, or from data files where the segments no longer have them. Used by one thread; blocks on the disk, and on the store
 * for such files.
 */
final class LatestReader {
    /** Deletes and trims may overtake a read; each try begins at a newer cut. */
    private static final int ATTEMPTS = 5;

    private final int partition;
    private final OpenReplica replica;
    private final FileRows files;

    /** A series at the cut. */
    private record Point(int series, long time, long @Nullable [] seqs) {}

    /** What the lock protected, copied. */
    private record Cut(
            long nextSeq,
            long oldestSeq,
            List<Point> points,
            FileSet files,
            @Nullable TableSchema schema) {}

    LatestReader(int partition, OpenReplica replica, FileRows files) {
        this.partition = partition;
        this.replica = replica;
        this.files = files;
    }

    ReadResult series(LatestQuery query) {
        Cut cut = cut(query);
        List<SeriesRow> rows = new ArrayList<>();
        for (Point point : cut.points) {
            rows.add(row(point, Map.of()));
        }
        return result(cut, rows);
    }

    ReadResult latest(LatestQuery query) throws IOException {
        for (int attempt = 1; ; attempt++) {
            Cut cut = cut(query);
            try {
                return result(cut, read(cut));
            } catch (SeqTrimmedException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private List<SeriesRow> read(Cut cut) throws IOException {
        PointFields fields = new PointFields(partition, replica.segments(), replica.definitions(), cut.points.size());
        PointSearch search = new PointSearch(replica.segments(), replica.definitions());
        FlushedFields flushed = new FlushedFields(cut.files, files);
        long buffered = cut.files.flushedThrough() + 1;
        for (int i = 0; i < cut.points.size(); i++) {
            Point point = cut.points.get(i);
            if (point.seqs == null) {
                flushed.add(i, replica.definitions().tags(point.series), point.time);
                search.add(point.series, point.time, i);
            } else if (point.seqs.length > 0 && point.seqs[0] >= cut.oldestSeq) {
                fields.add(i, point.seqs);
            } else {
                flushed.add(i, replica.definitions().tags(point.series), point.time);
                fields.add(
                        i,
                        Arrays.stream(point.seqs).filter(seq -> seq >= buffered).toArray());
            }
        }
        if (cut.schema != null) {
            flushed.read(cut.schema, fields::base);
        }
        search.run(Math.max(buffered, cut.oldestSeq), cut.nextSeq, fields::add);
        fields.read();
        List<SeriesRow> rows = new ArrayList<>();
        for (int i = 0; i < cut.points.size(); i++) {
            rows.add(row(cut.points.get(i), fields.of(i, cut.schema)));
        }
        return rows;
    }

    private Cut cut(LatestQuery query) {
        int tableId = replica.definitions().tables().idOf(query.tenant(), query.measurement());
        TableDirectory.Table table = replica.definitions().tables().table(tableId);
        if (table == null) {
            return new Cut(nextSeq(), 0, List.of(), FileSet.EMPTY, null);
        }
        int[] known = underLock(table::allSeries);
        int[] matching = Arrays.stream(known).filter(id -> matches(id, query)).toArray();
        return underLock(() -> {
            Gathered gathered = new Gathered(query);
            LogFacts facts = replica.state().facts();
            if (!facts.drops().containsKey(tableId)) {
                for (int series : matching) {
                    gathered.add(series);
                }
                for (int i = known.length; i < table.seriesCount(); i++) {
                    if (matches(table.series(i), query)) {
                        gathered.add(table.series(i));
                    }
                }
            }
            return new Cut(
                    facts.nextSeq(),
                    replica.segments().oldestSeq(),
                    gathered.points,
                    facts.files(tableId),
                    newer(table.newest(), query.schema()));
        });
    }

    /** Of the same table; a dropped column must not show because no row has told this partition of it yet. */
    private static @Nullable TableSchema newer(@Nullable TableSchema here, @Nullable TableSchema asked) {
        if (here == null || asked == null || here.tableId() != asked.tableId()) {
            return here;
        }
        return asked.version() > here.version() ? asked : here;
    }

    private long nextSeq() {
        return underLock(() -> replica.state().facts().nextSeq());
    }

    private <T> T underLock(Supplier<T> copy) {
        replica.readLock().lock();
        try {
            return copy.get();
        } finally {
            replica.readLock().unlock();
        }
    }

    /** Points of matching series, at most as many as asked for. */
    private final class Gathered {
        private final LatestQuery query;
        private final List<Point> points = new ArrayList<>();

        Gathered(LatestQuery query) {
            this.query = query;
        }

        void add(int series) {
            PointStore store = replica.state().points();
            if (store.times().count(series) == 0) {
                return;
            }
            if (points.size() == query.seriesMax()) {
                throw new RefusedException(Refusal.of(
                        ErrorCode.TOO_LARGE,
                        "table " + query.measurement() + ": more than " + query.seriesMax()
                                + " series match (series-max)"));
            }
            points.add(new Point(
                    series, store.times().newest(series), store.latest().seqs(series)));
        }
    }

    private boolean matches(int series, LatestQuery query) {
        for (Map.Entry<String, List<String>> filter : query.tagFilters().entrySet()) {
            String value = "";
            for (Tag tag : replica.definitions().tags(series)) {
                if (tag.key().equals(filter.getKey())) {
                    value = tag.value();
                }
            }
            if (!filter.getValue().contains(value)) {
                return false;
            }
        }
        return true;
    }

    private SeriesRow row(Point point, Map<String, Object> fields) {
        DefinitionTable definitions = replica.definitions();
        return new SeriesRow(definitions.tags(point.series), definitions.hash(point.series), point.time, fields);
    }

    private ReadResult result(Cut cut, List<SeriesRow> rows) {
        rows.sort(Comparator.comparing(SeriesRow::tags, LatestReader::compareTags));
        return new ReadResult(partition, cut.nextSeq, rows);
    }

    private static int compareTags(List<Tag> one, List<Tag> other) {
        for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
            int order = one.get(i).compareTo(other.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(one.size(), other.size());
    }
}
