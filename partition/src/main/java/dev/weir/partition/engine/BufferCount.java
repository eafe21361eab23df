package dev.weir.partition.engine;

import dev.weir.partition.entry.RecordKeys;
import dev.weir.partition.entry.TableEvent;
import dev.weir.partition.model.EventType;
import dev.weir.wal.segment.SegmentLog;
import dev.weir.wal.segment.SegmentRecord;
import java.io.IOException;
import java.util.List;

/** Counts again, after a restart, what of each table no file holds. */
final class BufferCount implements RecordKeys.Visitor {
    private static final int READ_BYTES = 4 << 20;

    private final LogFacts facts;
    private final TableBuffers buffers;
    private long committedAtNanos;

    BufferCount(LogFacts facts, TableBuffers buffers) {
        this.facts = facts;
        this.buffers = buffers;
    }

    /** Hands all records from {@code fromSeq} on to the visitors, in order. */
    static void read(SegmentLog log, long fromSeq, BufferCount count, List<RecordKeys.Visitor> others)
            throws IOException {
        long seq = Math.max(fromSeq, log.oldestSeq());
        while (seq < log.nextSeq()) {
            List<SegmentRecord> records = log.read(seq, READ_BYTES);
            if (records.isEmpty()) {
                throw new IOException("the log gives nothing from seq " + seq + " on, expected up to " + log.nextSeq());
            }
            for (SegmentRecord record : records) {
                count.committedAtNanos = record.committedAtNanos();
                RecordKeys.read(record, count);
                for (RecordKeys.Visitor other : others) {
                    RecordKeys.read(record, other);
                }
                seq = record.nextSeq();
            }
        }
    }

    @Override
    public void rows(RecordKeys.Rows rows) {
        long endSeq = rows.firstSeq() + rows.events();
        long waiting =
                Math.min(rows.events(), endSeq - 1 - facts.files(rows.tableId()).flushedThrough());
        if (waiting > 0 && !facts.drops().containsKey(rows.tableId())) {
            buffers.written(
                    rows.tableId(), (int) waiting, rows.bytes(), endSeq - waiting, committedAtNanos, oldest(rows));
        }
    }

    private static long oldest(RecordKeys.Rows rows) {
        long oldest = Long.MAX_VALUE;
        for (int event = 0; event < rows.events(); event++) {
            oldest = Math.min(oldest, rows.timestamps()[rows.row(event)]);
        }
        return oldest;
    }

    @Override
    public void event(long seq, TableEvent event) {
        if (event.type() == EventType.MEASUREMENT_DROPPED) {
            buffers.dropped(event.tableId());
        } else if (event.type() == EventType.RANGE_DELETED) {
            EventDetails.Range range = EventDetails.range(event.detailJson());
            if (range.predicate().isEmpty() && range.fromNanos() == Long.MIN_VALUE) {
                buffers.deletedThrough(event.tableId(), range.toNanos());
            }
        }
    }
}
