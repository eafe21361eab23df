package dev.weir.cdc;

import dev.weir.partition.catalog.LeaseRecord;
import dev.weir.partition.engine.CutRows;
import dev.weir.partition.engine.History;
import dev.weir.partition.engine.PartitionCut;
import dev.weir.partition.engine.SurvivingRows;
import dev.weir.partition.model.EventType;
import dev.weir.partition.model.HistoryCursor;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Walks through tables as they stood, by partition, table, day, series and time, from a place on. What was read before a failure is not read again: it
 * goes on at the place that was reached. A backfill is a walk of which only some rows count, those with a seq of the stretch that the log lacks; behind each partition's
 * rows it says which seqs of the stretch it did not find. One thread.
 */
final class HistoryReader {
    /** As a table's id in a place: all tables were taken, and seqs below the row's number are accounted for. */
    private static final int BEHIND_TABLES = Integer.MAX_VALUE;

    private final HeldHistory held;
    private final StreamFilter filter;
    private final History history;
    private final StartResolver feeds;
    private final LookedAt again = new LookedAt();
    private volatile HistoryCursor place;
    /** Of the partition that is being read, where that is a backfill. */
    private @Nullable FoundSeqs stretch;

    /** Where rows go. */
    interface Target {
        /** Whether to read on; once not, never again. */
        boolean readsOn();

        /**
         * Rows from one on; moves the reader with {@link #reached} to behind what it took, which is all of them unless it does not go on.
         */
        void take(SurvivingRows rows, int from);

        /** Whether it was sent: always, unless the stream does not go on. */
        boolean gap(Gap gap, HistoryCursor after);
    }

    HistoryReader(HeldHistory held, StreamFilter filter, History history, StartResolver feeds) {
        this.held = held;
        this.filter = filter;
        this.history = history;
        this.feeds = feeds;
        this.place = held.place();
    }

    /** What comes before it was taken. Any thread. */
    HistoryCursor place() {
        return place;
    }

    /** Batches before it that a backfill has read again: more are a sign of life though the place stays. Any thread. */
    long lookedAt() {
        return again.batches();
    }

    LeaseRecord lease() {
        return held.lease();
    }

    void reached(HistoryCursor newPlace) {
        place = newPlace;
    }

    /**
     * To the end, or until the target does not go on; whether to the end.
     *
     * @throws IOException a file or the log can't be read now, or never
     * @throws RequestRefused no replica has the log now
     */
    boolean read(Target target) throws IOException, InterruptedException {
        for (LeaseRecord.Held partition : held.partitions()) {
            boolean isDone = partition.partition() < place.partition();
            if (!isDone
                    && !(partition.isBackfill() ? backfill(partition, target) : tables(stored(partition), target))) {
                return false;
            }
        }
        return true;
    }

    /** Rows of a backfill come with the seqs that it looks for alone; those of tables as they stand with any. */
    boolean wants(long seq) {
        return stretch == null || stretch.has(seq);
    }

    boolean isBackfill() {
        return stretch != null;
    }

    private PartitionCut stored(LeaseRecord.Held partition) throws IOException, InterruptedException {
        PartitionCut cut = history.stored(held.lease().id(), partition.partition());
        if (!partition.isBackfill() && cut.cutSeq() != partition.cutSeq()) {
            throw new CutGoneException("partition " + partition.partition() + ": the stored cut is at seq "
                    + cut.cutSeq() + ", the lease expects " + partition.cutSeq());
        }
        return cut;
    }

    /** All of the partition is looked at, though the place is in its middle: what is found decides on gaps. */
    private boolean backfill(LeaseRecord.Held partition, Target target) throws IOException, InterruptedException {
        if (partition.sinceSeq() == partition.cutSeq()) {
            return true;
        }
        FoundSeqs found = new FoundSeqs(partition.partition(), partition.sinceSeq(), partition.cutSeq());
        stretch = found;
        again.begin(partition.partition());
        try {
            return tables(stored(partition).filesAlone(), target) && gaps(found, partition.partition(), target);
        } finally {
            stretch = null;
        }
    }

    private boolean gaps(FoundSeqs found, int partition, Target target) {
        if (place.partition() < partition || place.tableId() != BEHIND_TABLES) {
            place = place.at(partition, BEHIND_TABLES, 0, 0);
        }
        Gap gap = found.gapFrom(place.row());
        while (gap != null) {
            HistoryCursor after = place.at(partition, BEHIND_TABLES, 0, gap.last() + 1);
            if (!target.gap(gap, after)) {
                return false;
            }
            place = after;
            gap = found.gapFrom(place.row());
        }
        // Nothing of it is read again by a try that fails in another partition.
        place = place.past(partition);
        return target.readsOn();
    }

    private boolean tables(PartitionCut cut, Target target) throws IOException {
        boolean carriesRows = filter.types().isEmpty() || filter.types().contains(EventType.POINT_WRITTEN);
        for (PartitionCut.Table table : carriesRows ? cut.tables() : List.<PartitionCut.Table>of()) {
            if (!table(cut, table, target)) {
                return false;
            }
        }
        return target.readsOn();
    }

    private boolean table(PartitionCut cut, PartitionCut.Table table, Target target) throws IOException {
        int tableId = table.schema().tableId();
        boolean isDone = isPast(cut.partition(), tableId, Long.MAX_VALUE);
        if (isDone && stretch == null) {
            return true;
        }
        // A backfill reads files alone: any replica is as good.
        long applied = stretch == null ? cut.cutSeq() : 0;
        CutRows rows = history.rows(cut, table, feeds.feedAt(cut.partition(), applied));
        for (long day : rows.days()) {
            boolean isWhole = isPast(cut.partition(), tableId, day)
                    ? lookAt(rows, day, target)
                    : takeDay(rows, cut.partition(), tableId, day, target);
            if (!isWhole) {
                return false;
            }
        }
        return target.readsOn();
    }

    private boolean takeDay(CutRows rows, int partition, int tableId, long day, Target target) throws IOException {
        if (!isAt(partition, tableId, day)) {
            place = place.at(partition, tableId, day, 0);
        }
        boolean isWhole = day(rows, day, target);
        if (isWhole) {
            place = place.at(partition, tableId, day + 1, 0);
        }
        return isWhole;
    }

    private boolean isAt(int partition, int tableId, long day) {
        return place.partition() == partition && place.tableId() == tableId && place.day() == day;
    }

    /** Everything of the day was taken. */
    private boolean isPast(int partition, int tableId, long day) {
        if (place.partition() != partition) {
            return place.partition() > partition;
        }
        return place.tableId() == tableId ? place.day() > day : place.tableId() > tableId;
    }

    /** Takes nothing of it, but what is found decides on gaps. */
    private boolean lookAt(CutRows rows, long day, Target target) throws IOException {
        FoundSeqs found = stretch;
        if (found == null) {
            return target.readsOn();
        }
        try (CutRows.Day ofDay = rows.open(day)) {
            for (SurvivingRows batch = ofDay.next(); batch != null; batch = ofDay.next()) {
                if (!target.readsOn()) {
                    return false;
                }
                found.add(batch);
                again.batch();
            }
        }
        return target.readsOn();
    }

    private boolean day(CutRows rows, long day, Target target) throws IOException {
        FoundSeqs found = stretch;
        try (CutRows.Day ofDay = rows.open(day)) {
            for (SurvivingRows batch = ofDay.next(); batch != null; batch = ofDay.next()) {
                if (!target.readsOn()) {
                    return false;
                }
                if (found != null) {
                    found.add(batch);
                }
                long from = place.row() - batch.firstRow();
                if (from < batch.count()) {
                    target.take(batch, (int) Math.max(0, from));
                } else {
                    again.batch();
                }
            }
        }
        return target.readsOn();
    }
}
