package dev.weir.partition.engine;

import dev.weir.partition.entry.RecordKeys;
import dev.weir.partition.entry.Section.RangeDeleteSection;
import dev.weir.partition.entry.TableEvent;
import dev.weir.wal.segment.SegmentLog;
import dev.weir.wal.segment.SegmentRecord;
import dev.weir.wal.segment.SeqTrimmedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Tells whether rows that a quarantine read were written again before its delete, by looking through the change segments in between. They are equal on
 * all replicas, so each tells the same. Where it can't be told it says so, and never that nothing was written. Called by the apply thread; reads this
 * node's disk.
 */
final class WrittenSince {
    /** A reader that is further behind reads anew: apply must not stand still for long. */
    static final long EVENTS_MAX = 1_000_000;

    /** Of records, encoded: as {@link #EVENTS_MAX}. */
    static final long BYTES_MAX = 64L << 20;

    private static final int READ_BYTES = 1 << 20;

    private final Supplier<SegmentLog> segments;
    private final LongSupplier movedThrough;
    private final DefinitionTable definitions;

    /** @param movedThrough events before it are looked for nowhere: apply never waits for the store */
    WrittenSince(Supplier<SegmentLog> segments, LongSupplier movedThrough, DefinitionTable definitions) {
        this.segments = segments;
        this.movedThrough = movedThrough;
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
        if (delete.asOfSeq() < movedThrough.getAsLong()) {
            return Optional.of("read as of seq " + delete.asOfSeq() + ", and the history before "
                    + movedThrough.getAsLong() + " is in the object store");
        }
        try {
            return find(delete, nextSeq);
        } catch (SeqTrimmedException e) {
            return Optional.of("read as of seq " + delete.asOfSeq() + ", and the oldest kept is " + e.oldestSeq());
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    private Optional<String> find(RangeDeleteSection delete, long nextSeq) throws IOException {
        Hit hit = new Hit(delete);
        long bytes = 0;
        for (long seq = delete.asOfSeq(); seq < nextSeq; ) {
            for (SegmentRecord record : segments.get().read(seq, READ_BYTES)) {
                bytes += record.payload().remaining();
                if (bytes > BYTES_MAX) {
                    return Optional.of("read as of seq " + delete.asOfSeq() + ", expected at most " + BYTES_MAX
                            + " bytes of events since");
                }
                RecordKeys.read(record, hit);
                if (hit.found) {
                    return Optional.of("rows in it were written after seq " + delete.asOfSeq());
                }
                seq = record.nextSeq();
            }
        }
        return Optional.empty();
    }

    /** Whether an event wrote a row that the delete would take. */
    private final class Hit implements RecordKeys.Visitor {
        private final RangeDeleteSection delete;
        private boolean found;

        Hit(RangeDeleteSection delete) {
            this.delete = delete;
        }

        @Override
        public void rows(RecordKeys.Rows rows) {
            for (int event = 0; rows.tableId() == delete.tableId() && event < rows.events() && !found; event++) {
                int row = rows.row(event);
                long time = rows.timestamps()[row];
                found = rows.firstSeq() + event >= delete.asOfSeq()
                        && time >= delete.fromNanos()
                        && time <= delete.toNanos()
                        && definitions
                                .tags(rows.seriesIds()[rows.seriesRefs()[row]])
                                .containsAll(delete.predicate());
            }
        }

        @Override
        public void event(long seq, TableEvent event) {}
    }
}
