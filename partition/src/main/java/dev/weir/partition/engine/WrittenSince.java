package dev.weir.partition.engine;

import dev.weir.partition.entry.Definitions;
import dev.weir.partition.entry.RecordReader;
import dev.weir.partition.entry.Section.RangeDeleteSection;
import dev.weir.partition.feed.ChangeBatch;
import dev.weir.partition.model.EventType;
import dev.weir.wal.segment.SegmentLog;
import dev.weir.wal.segment.SegmentRecord;
import dev.weir.wal.segment.SeqTrimmedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Tells whether rows that a quarantine read were written again before its delete, by looking through the change segments in between. They are equal on
 * all replicas, so each tells the same. Where it can't be told it says so, and never that nothing was written. Called by the apply thread; reads this
 * node's disk.
 */
final class WrittenSince {
    /** A reader that is further behind reads anew: apply must not stand still for long. */
    static final long EVENTS_MAX = 100_000;

    private static final int READ_BYTES = 1 << 20;

    private final int partition;
    private final Supplier<SegmentLog> segments;
    private final Definitions definitions;

    WrittenSince(int partition, Supplier<SegmentLog> segments, Definitions definitions) {
        this.partition = partition;
        this.segments = segments;
        this.definitions = definitions;
    }

    /**
     * Why the delete must not be; empty where no event from its {@code asOfSeq} on wrote a row that it would take.
     *
     * @param nextSeq of the event that comes next
     */
    Optional<String> look(RangeDeleteSection delete, long nextSeq) {
        long behind = nextSeq - delete.asOfSeq();
        if (behind < 0 || behind > EVENTS_MAX) {
            return Optional.of(
                    "read as of seq " + delete.asOfSeq() + ", expected at most " + EVENTS_MAX + " before " + nextSeq);
        }
        try {
            return find(delete, nextSeq);
        } catch (SeqTrimmedException e) {
            return Optional.of("read as of seq " + delete.asOfSeq() + ", and the oldest kept is " + e.oldestSeq());
        } catch (IOException e) {
            throw new UncheckedIOException("partition " + partition + ": " + e.getMessage(), e);
        }
    }

    private Optional<String> find(RangeDeleteSection delete, long nextSeq) throws IOException {
        long seq = delete.asOfSeq();
        while (seq < nextSeq) {
            for (SegmentRecord record : segments.get().read(seq, READ_BYTES)) {
                for (ChangeBatch batch : RecordReader.read(partition, record, seq, definitions)) {
                    if (mayHit(delete, batch) && hits(delete, batch)) {
                        return Optional.of("rows in it were written after seq " + delete.asOfSeq());
                    }
                }
                seq = record.nextSeq();
            }
        }
        return Optional.empty();
    }

    private static boolean mayHit(RangeDeleteSection delete, ChangeBatch batch) {
        return batch.type() == EventType.POINT_WRITTEN && batch.schema().tableId() == delete.tableId();
    }

    private static boolean hits(RangeDeleteSection delete, ChangeBatch batch) {
        for (int row = 0; row < batch.count(); row++) {
            long time = batch.timestampNanos(row);
            if (time >= delete.fromNanos()
                    && time <= delete.toNanos()
                    && batch.seriesTags(batch.series(row)).containsAll(delete.predicate())) {
                return true;
            }
        }
        return false;
    }
}
