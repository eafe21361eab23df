package dev.weir.partition.entry;

import dev.weir.partition.catalog.SlotRange;
import dev.weir.partition.entry.Section.AppendSection;
import dev.weir.partition.entry.Section.CompactionSection;
import dev.weir.partition.entry.Section.ExpirySection;
import dev.weir.partition.entry.Section.FenceSection;
import dev.weir.partition.entry.Section.FlushSection;
import dev.weir.partition.entry.Section.LineageSection;
import dev.weir.partition.entry.Section.MoveSection;
import dev.weir.partition.entry.Section.Parent;
import dev.weir.partition.entry.Section.RangeDeleteCause;
import dev.weir.partition.entry.Section.RangeDeleteSection;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.EventType;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.SeriesKey;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import dev.weir.partition.write.AppendOutcome;
import dev.weir.partition.write.AppendOutcome.VoidCause;
import dev.weir.partition.write.AppendOutcome.VoidedRow;
import dev.weir.partition.write.AppendRequest;
import dev.weir.partition.write.BatchId;
import dev.weir.partition.write.DeleteRequest;
import dev.weir.partition.write.IdempotencyUnit;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** One small example of every format, for golden bytes and for fuzzing. */
final class Samples {
    static final TableSchema SCHEMA = new TableSchema(
            7,
            "acme",
            "cpu",
            2,
            false,
            List.of(
                    new Column(1, "host", ColumnRole.TAG, FieldType.STRING, false),
                    new Column(2, "usage", ColumnRole.FIELD, FieldType.FLOAT64, false),
                    new Column(3, "count", ColumnRole.FIELD, FieldType.INT64, true),
                    new Column(4, "total", ColumnRole.FIELD, FieldType.UINT64, false),
                    new Column(5, "ok", ColumnRole.FIELD, FieldType.BOOL, false),
                    new Column(6, "state", ColumnRole.FIELD, FieldType.STRING, false)));
    private static final TableSchema WIDER = new TableSchema(
            7,
            "acme",
            "cpu",
            3,
            false,
            Stream.concat(
                            SCHEMA.columns().stream(),
                            Stream.of(new Column(7, "ratio", ColumnRole.FIELD, FieldType.FLOAT64, false)))
                    .toList());
    private static final BatchId BATCH = new BatchId("n1", 3, 300);

    private Samples() {}

    /** Three rows of two series; the second row has no string, the third no bool. */
    static RowBlock block() {
        RowBlockBuilder builder = new RowBlockBuilder("acme", SCHEMA);
        int a = builder.series(series("a"));
        int b = builder.series(series("b"));
        builder.beginRow(a, 1_700_000_000_000_000_000L);
        builder.putDouble(2, 12.5);
        builder.putLong(3, -7);
        builder.putLong(4, -1L);
        builder.putBool(5, true);
        putString(builder, "up");
        builder.endRow();
        builder.beginRow(b, 1_700_000_000_000_000_000L);
        builder.putDouble(2, 99.25);
        builder.putLong(3, 1_000_000);
        builder.putLong(4, 5);
        builder.putBool(5, false);
        builder.endRow();
        builder.beginRow(a, 1_700_000_010_000_000_000L);
        builder.putDouble(2, 0.0);
        builder.putLong(3, 3);
        builder.putLong(4, 6);
        putString(builder, "down");
        builder.endRow();
        return builder.build();
    }

    /** A block whose strings and doubles are long enough to be compressed by zstd and cut. */
    static RowBlock compressedBlock() {
        RowBlockBuilder builder = new RowBlockBuilder("acme", WIDER);
        int ref = builder.series(series("a"));
        for (int row = 0; row < 70; row++) {
            builder.beginRow(ref, row);
            builder.putDouble(2, Math.PI * (1 + row % 5));
            builder.putDouble(7, Math.sqrt(2 + row));
            putString(builder, "the same words again and again, but for the number " + row);
            builder.endRow();
        }
        return builder.build();
    }

    /** Every kind of section. */
    static byte[] entry() {
        EntryBuilder entry = new EntryBuilder(new TestDefinitions());
        entry.add(append(block()), 1000);
        entry.add(new DeleteRequest(1, 2, BATCH, "acme", 7, "cpu", List.of(new Tag("host", "a")), "c-1"));
        entry.add(new DeleteRequest(1, 2, BATCH, "acme", 7, "cpu", null, "c-2"));
        entry.add(new RangeDeleteSection(
                BATCH, 2, "acme", 7, "cpu", List.of(new Tag("host", "b")), -5, 5, RangeDeleteCause.RETENTION, "c-3"));
        entry.addTrim(400);
        entry.addTick();
        entry.add(new ExpirySection(-1, 1000));
        entry.add(new FenceSection(List.of(new SlotRange(0, 512), new SlotRange(600, 4096)), 8, 2));
        entry.add(new LineageSection(
                List.of(new Parent(3, 1, 500), new Parent(4, 1, 800)), List.of(new SlotRange(0, 4096)), 9, 1));
        entry.add(new FlushSection(7, 0, 300, List.of(file("f1")), 5));
        entry.add(new CompactionSection(7, List.of("f1", "f2"), List.of(file("f3")), 299, 5));
        return bytes(entry.build());
    }

    /** History that went to the store. */
    static byte[] move() {
        EntryBuilder entry = new EntryBuilder(new TestDefinitions());
        entry.add(new MoveSection(new MovedSegment("s1", 1000, file("f").sha256(), 301, 400, 800, 850), 5));
        return bytes(entry.build());
    }

    /** History is moved from here on. */
    static byte[] movesBegin() {
        EntryBuilder entry = new EntryBuilder(new TestDefinitions());
        entry.addMovesBegin();
        return bytes(entry.build());
    }

    /** A delete that holds only if nothing was written since. */
    static byte[] quarantine() {
        EntryBuilder entry = new EntryBuilder(new TestDefinitions());
        DeleteRequest.Range range = new DeleteRequest.Range(List.of(new Tag("host", "b")), -5, 5, false, 300);
        entry.add(new DeleteRequest(1, 2, BATCH, "acme", 7, "cpu", null, range, "c-4"));
        return bytes(entry.build());
    }

    static AppendRequest append(RowBlock... blocks) {
        IdempotencyUnit unit = new IdempotencyUnit("acme", "key", new byte[] {(byte) 0xd1, 0x6e}, 1);
        return new AppendRequest(1, 2, 8, BATCH, unit, List.of(blocks));
    }

    /** The first and the third row of the block, an update, then a delete of a series. */
    static byte[] record(TestDefinitions definitions) {
        EntryBuilder entry = new EntryBuilder(definitions);
        entry.add(append(block()), 1000);
        AppendSection section = (AppendSection) EntryReader.read(entry.build()).get(0);
        BlockView view = section.blocks().get(0);
        RecordBuilder record = new RecordBuilder();
        record.addRows(view, definitions.resolve(view), new long[] {0b101}, new long[] {0b100});
        SeriesKey deleted = series("a");
        record.addEvent(new TableEvent(
                EventType.SERIES_DELETED,
                "acme",
                7,
                "cpu",
                2,
                CanonicalTags.encode(deleted.tags()),
                deleted.hash(),
                "{\"change_id\":\"c-1\"}"));
        record.addEvent(new TableEvent(EventType.MEASUREMENT_DROPPED, "acme", 9, "mem", 0, null, 0, "{}"));
        return bytes(record.build());
    }

    static byte[] reply() {
        String moved = "slot 9 moved";
        return new ApplyReply(List.of(
                        new AppendOutcome.Applied(301, 5, 2, List.of()),
                        new AppendOutcome.Applied(
                                0,
                                0,
                                0,
                                List.of(
                                        new VoidedRow(0, VoidCause.WRONG_PARTITION, ErrorCode.NO_LEADER, moved),
                                        new VoidedRow(1, VoidCause.TABLE_DROPPED, ErrorCode.TABLE_DROPPED, "dropped"),
                                        new VoidedRow(9, VoidCause.WRONG_PARTITION, ErrorCode.NO_LEADER, moved))),
                        new AppendOutcome.Refused(new Refusal(ErrorCode.IDEMPOTENCY_MISMATCH, "another body", 0)),
                        new AppendOutcome.Unknown("no answer")))
                .encode();
    }

    static byte[] bytes(java.nio.ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }

    static SeriesKey series(String host) {
        return new SeriesKey("acme", "cpu", List.of(new Tag("host", host)));
    }

    private static StoredFile file(String key) {
        byte[] digest = new byte[32];
        Arrays.fill(digest, (byte) 0xab);
        return new StoredFile(
                key, 9000, 250, digest, -1, 99, 1, 300, 1000, 2000, List.of(new SlotRange(0, 4096)), true, 310, 3);
    }

    private static void putString(RowBlockBuilder builder, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        builder.putString(6, utf8, 0, utf8.length);
    }
}
