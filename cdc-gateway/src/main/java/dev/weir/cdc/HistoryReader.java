package dev.weir.cdc;

import dev.weir.partition.catalog.LeaseRecord;
import dev.weir.partition.engine.CutRows;
import dev.weir.partition.engine.History;
import dev.weir.partition.engine.PartitionCut;
import dev.weir.partition.engine.SurvivingRows;
import dev.weir.partition.model.EventType;
import dev.weir.partition.model.HistoryCursor;
import java.io.IOException;

/**
 * Walks through tables as they stood, by partition, table, day, series and time, from a place on. What was read before a failure is not read again: it
 * goes on at the place that was reached. One thread.
 */
final class HistoryReader {
    private final HeldHistory held;
    private final StreamFilter filter;
    private final History history;
    private final StartResolver feeds;
    private volatile HistoryCursor place;

    /** Where rows go. */
    interface Target {
        boolean goesOn();

        /**
         * Rows from one on; moves the reader with {@link #reached} to behind what it took, which is all of them unless it does not go on.
         */
        void take(SurvivingRows rows, int from);
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
        if (!filter.types().isEmpty() && !filter.types().contains(EventType.POINT_WRITTEN)) {
            return true;
        }
        for (LeaseRecord.Held partition : held.partitions()) {
            if (partition.partition() >= place.partition()
                    && !read(history.stored(held.lease().id(), partition.partition()), target)) {
                return false;
            }
        }
        return true;
    }

    private boolean read(PartitionCut cut, Target target) throws IOException {
        for (PartitionCut.Table table : cut.tables()) {
            boolean isDone =
                    cut.partition() == place.partition() && table.schema().tableId() < place.tableId();
            if (!isDone && !read(cut, table, target)) {
                return false;
            }
        }
        return target.goesOn();
    }

    private boolean read(PartitionCut cut, PartitionCut.Table table, Target target) throws IOException {
        int tableId = table.schema().tableId();
        CutRows rows = history.rows(cut, table, feeds.feedAt(cut.partition(), cut.cutSeq()));
        boolean isHere = cut.partition() == place.partition() && tableId == place.tableId();
        long fromDay = isHere ? place.day() : Long.MIN_VALUE;
        for (long day : rows.days()) {
            if (day < fromDay) {
                continue;
            }
            if (!isHere || day > fromDay) {
                place = place.at(cut.partition(), tableId, day, 0);
            }
            if (!read(rows, day, target)) {
                return false;
            }
            place = place.at(cut.partition(), tableId, day + 1, 0);
        }
        return target.goesOn();
    }

    private boolean read(CutRows rows, long day, Target target) throws IOException {
        try (CutRows.Day ofDay = rows.open(day)) {
            for (SurvivingRows batch = ofDay.next(); batch != null; batch = ofDay.next()) {
                if (!target.goesOn()) {
                    return false;
                }
                long from = place.row() - batch.firstRow();
                if (from < batch.count()) {
                    target.take(batch, (int) Math.max(0, from));
                }
            }
        }
        return target.goesOn();
    }
}
