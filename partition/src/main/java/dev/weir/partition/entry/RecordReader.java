package dev.weir.partition.entry;

import dev.weir.partition.feed.ChangeBatch;
import dev.weir.partition.model.EventType;
import dev.weir.partition.model.TableSchema;
import dev.weir.wal.segment.SegmentRecord;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a record that {@link RecordBuilder} built, as batches of events. Frames are checked at once; series, timestamps and each column are
 * decoded when first asked for, and only then shown to be damaged.
 */
public final class RecordReader {
    private RecordReader() {}

    /**
     * The record's events from {@code fromSeq} on.
     *
     * @param definitions must hold what the log had defined when the record was written
     * @throws FormatException the payload is damaged, or names what is not defined
     */
    public static List<ChangeBatch> read(int partition, SegmentRecord record, long fromSeq, Definitions definitions) {
        ByteReader in = ByteReader.of(record.payload());
        checkVersion(in);
        List<ChangeBatch> batches = new ArrayList<>(4);
        long seq = record.firstSeq();
        while (!in.atEnd()) {
            int kind = in.u8("part kind");
            ByteReader body = in.slice(in.u32("part length"), "part of kind " + kind);
            RecordPlace place = new RecordPlace(partition, seq, record.committedAtNanos());
            long left = record.nextSeq() - seq;
            int events = switch (kind) {
                case RecordBuilder.ROWS -> rows(body, place, fromSeq, left, definitions, batches);
                case RecordBuilder.EVENT -> event(body, place, fromSeq, definitions, batches);
                default -> throw new FormatException("part kind " + kind + ", expected 1 or 2");
            };
            seq += events;
        }
        if (seq != record.nextSeq()) {
            throw new FormatException("record of " + (seq - record.firstSeq()) + " events, expected " + record.count());
        }
        return batches;
    }

    static void checkVersion(ByteReader in) {
        int version = in.u8("record version");
        if (version != RecordBuilder.VERSION) {
            throw new FormatException("record version " + version + ", expected " + RecordBuilder.VERSION);
        }
    }

    private static int rows(
            ByteReader in,
            RecordPlace place,
            long fromSeq,
            long eventsMax,
            Definitions definitions,
            List<ChangeBatch> batches) {
        int tableId = in.count(0, Integer.MAX_VALUE, "table id");
        TableSchema schema = schema(definitions, tableId, in.count(0, Integer.MAX_VALUE, "schema version"));
        int rows = in.count(1, BlockLimits.ROWS_MAX, "rows");
        int[] rowOf = SchemaCodec.flag(in, "accepted") ? acceptedRows(in, rows) : null;
        int events = rowOf == null ? rows : rowOf.length;
        if (events > eventsMax) {
            throw new FormatException("part of " + events + " events, expected at most " + eventsMax);
        }
        RowsPart.Updates updates = updates(in, rows);
        int series = in.count(1, rows, "series");
        if (place.firstSeq() + events > fromSeq) {
            int skipped = (int) Math.max(0, fromSeq - place.firstSeq());
            RowsPart part = new RowsPart(schema, definitions, rows, series, rowOf, updates, in);
            batches.add(new RowsBatch(place.after(skipped), part, skipped, events - skipped));
        }
        return events;
    }

    private static int event(
            ByteReader in, RecordPlace place, long fromSeq, Definitions definitions, List<ChangeBatch> batches) {
        TableEvent event = tableEvent(in);
        if (place.firstSeq() >= fromSeq) {
            batches.add(new EventBatch(place, event, schemaOrEmpty(definitions, event)));
        }
        return 1;
    }

    static TableEvent tableEvent(ByteReader in) {
        int code = in.u8("event type");
        if (code <= EventType.POINT_WRITTEN.code() || code > EventType.SCHEMA_CHANGED.code()) {
            throw new FormatException("event type " + code + ", expected 2 to " + EventType.SCHEMA_CHANGED.code());
        }
        String tenant = in.text("tenant");
        int tableId = in.count(0, Integer.MAX_VALUE, "table id");
        String measurement = in.text("measurement");
        int version = in.count(0, Integer.MAX_VALUE, "schema version");
        boolean ofSeries = SchemaCodec.flag(in, "event's series");
        long hash = ofSeries ? in.u64("series hash") : 0;
        byte[] tags = ofSeries ? in.blob("series tags") : null;
        if (tags != null) {
            CanonicalTags.check(tags, 0, tags.length);
        }
        TableEvent event = new TableEvent(
                EventType.ofCode(code), tenant, tableId, measurement, version, tags, hash, in.text("detail"));
        in.expectEnd("event");
        return event;
    }

    static int[] acceptedRows(ByteReader in, int rows) {
        long[] mask = RowMask.read(in, rows, "accepted rows");
        int[] rowOf = new int[RowMask.count(mask, rows)];
        for (int row = 0, to = 0; row < rows; row++) {
            if (RowMask.get(mask, row)) {
                rowOf[to++] = row;
            }
        }
        if (rowOf.length == 0) {
            throw new FormatException("accepted rows: none");
        }
        return rowOf;
    }

    static RowsPart.Updates updates(ByteReader in, int rows) {
        int form = in.u8("updates");
        if (form > RecordBuilder.SOME) {
            throw new FormatException("updates: form " + form + ", expected 0 to 2");
        }
        long[] mask = form == RecordBuilder.SOME ? RowMask.read(in, rows, "updated rows") : null;
        return new RowsPart.Updates(form == RecordBuilder.ALL, mask);
    }

    private static TableSchema schema(Definitions definitions, int tableId, int version) {
        @Nullable TableSchema schema = definitions.schema(tableId, version);
        if (schema == null) {
            throw new FormatException("table " + tableId + ", version " + version + " is not defined here");
        }
        return schema;
    }

    private static TableSchema schemaOrEmpty(Definitions definitions, TableEvent event) {
        TableSchema schema = definitions.schema(event.tableId(), event.schemaVersion());
        return schema != null
                ? schema
                : new TableSchema(
                        event.tableId(), event.tenant(), event.measurement(), event.schemaVersion(), false, List.of());
    }
}
