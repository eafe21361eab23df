package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.partition.model.ChangeEvent;
import dev.weir.partition.model.EventType;
import dev.weir.partition.model.Operation;
import dev.weir.partition.model.SeriesKey;
import dev.weir.partition.model.Tag;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Names, types and rules of the columns; values that are hard to carry; and that no memory stays behind. */
class CdcBatchConverterTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<Tag> HOST = List.of(new Tag("host", "a"));

    private final BufferAllocator allocator = new RootAllocator();

    /** Fails where a test left memory behind. */
    @AfterEach
    void closeAllocator() {
        allocator.close();
    }

    private static ChangeEvent write(long seq, Map<String, Object> fields) {
        return write(seq, HOST, fields);
    }

    private static ChangeEvent write(long seq, List<Tag> tags, Map<String, Object> fields) {
        return new ChangeEvent(
                7, seq, EventType.POINT_WRITTEN, Operation.UPDATE, "default", "cpu", -5, tags, fields, 3, 99, 0, "{}");
    }

    private static ChangeEvent other(EventType type, Operation operation, List<Tag> tags, long hash, String detail) {
        // The timestamp and fields of a non-write mean nothing: the converter keeps the rules by itself.
        return new ChangeEvent(
                7, 1, type, operation, "default", "cpu", 42, tags, Map.of("stray", 1L), 3, 99, hash, detail);
    }

    private static List<Object> row(VectorSchemaRoot batch, int index) {
        List<Object> row = new ArrayList<>();
        for (FieldVector column : batch.getFieldVectors()) {
            Object value = column.getObject(index);
            row.add(value instanceof Number ? value : String.valueOf(value));
        }
        return row;
    }

    private String fieldsOf(ChangeEvent event) {
        try (CdcBatchConverter converter = new CdcBatchConverter(allocator, CdcLayout.FULL)) {
            return String.valueOf(
                    converter.convert(List.of(event)).getVector("fields_json").getObject(0));
        }
    }

    @Test
    void namesAndTypesAreTheContract() {
        assertThat(CdcLayout.FULL.schema().getFields().stream()
                        .map(field -> field.getName() + " " + field.getType() + " " + field.isNullable())
                        .toList())
                .containsExactly(
                        "seq Int(64, false) false",
                        "event_type Utf8 false",
                        "measurement Utf8 false",
                        "event_timestamp Int(64, true) false",
                        "tags_json Utf8 false",
                        "fields_json Utf8 false",
                        "series_hash Int(64, false) false",
                        "partition Int(32, false) false",
                        "operation Utf8 false",
                        "schema_version Int(32, false) false",
                        "committed_at Int(64, true) false",
                        "detail_json Utf8 false");
        assertThat(CdcLayout.FIXED.schema().getFields())
                .isEqualTo(CdcLayout.FULL.schema().getFields().subList(0, 7));
    }

    @Test
    void aWriteHasTagsAndFieldsAsWritten() {
        try (CdcBatchConverter converter = new CdcBatchConverter(allocator, CdcLayout.FULL)) {
            VectorSchemaRoot batch = converter.convert(List.of(write(11, Map.of("load", 0.25))));
            assertThat(batch.getRowCount()).isEqualTo(1);
            assertThat(row(batch, 0))
                    .containsExactly(
                            11L,
                            "point_written",
                            "cpu",
                            -5L,
                            "{\"host\":\"a\"}",
                            "{\"load\":0.25}",
                            0L,
                            7,
                            "update",
                            3,
                            99L,
                            "{}");
        }
    }

    @Test
    void othersHaveNoTimeNoFieldsAndAHashOnlyWhereASeriesWasDeleted() {
        long hash = new SeriesKey("default", "cpu", HOST).hash();
        try (CdcBatchConverter converter = new CdcBatchConverter(allocator, CdcLayout.FULL)) {
            VectorSchemaRoot batch = converter.convert(List.of(
                    other(EventType.SERIES_DELETED, Operation.DELETE, HOST, hash, "{}"),
                    other(EventType.MEASUREMENT_DROPPED, Operation.DELETE, List.of(), hash, "{\"change_id\":\"c\"}"),
                    other(EventType.RANGE_DELETED, Operation.DELETE, List.of(), 0, "{\"cause\":\"retention\"}"),
                    other(EventType.SCHEMA_CHANGED, Operation.NONE, List.of(), 0, "{\"columns\":[]}")));
            assertThat(row(batch, 0).subList(3, 7)).containsExactly(0L, "{\"host\":\"a\"}", "{}", hash);
            assertThat(row(batch, 1).subList(3, 7)).containsExactly(0L, "{}", "{}", 0L);
            assertThat(row(batch, 2).subList(3, 7)).containsExactly(0L, "{}", "{}", 0L);
            assertThat(row(batch, 3).subList(3, 7)).containsExactly(0L, "{}", "{}", 0L);
            assertThat(batch.getVector("detail_json").getObject(2)).hasToString("{\"cause\":\"retention\"}");
            assertThat(batch.getVector("operation").getObject(3)).hasToString("none");
            batch.getFieldVectors()
                    .forEach(column -> assertThat(column.getNullCount()).isZero());
        }
    }

    @Test
    void numbersAreExact() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("most", new BigInteger("18446744073709551615"));
        fields.put("beyond", 9_007_199_254_740_993L);
        fields.put("least", Long.MIN_VALUE);
        fields.put("zero", -0.0);
        fields.put("whole", 2.0);
        fields.put("tiny", Double.MIN_VALUE);
        fields.put("third", 1 / 3.0);
        assertThat(fieldsOf(write(1, fields)))
                .isEqualTo("{\"most\":18446744073709551615,\"beyond\":9007199254740993,\"least\":-9223372036854775808,"
                        + "\"zero\":-0.0,\"whole\":2.0,\"tiny\":4.9E-324,\"third\":0.3333333333333333}");
    }

    @Test
    void whatJsonCannotSayIsRefusedInWords() {
        try (CdcBatchConverter converter = new CdcBatchConverter(allocator, CdcLayout.FULL)) {
            for (double value : new double[] {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
                assertThatThrownBy(() -> converter.convert(List.of(write(1, Map.of("v", value)))))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("finite")
                        .hasMessageContaining(Double.toString(value));
            }
            assertThatThrownBy(() -> converter.convert(List.of(write(1, Map.of("v", 'c')))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("field v")
                    .hasMessageContaining("Character");
            assertThat(converter.convert(List.of(write(2, Map.of("v", 1L)))).getRowCount())
                    .isEqualTo(1);
        }
    }

    @Test
    void textsAreCarriedWhole() throws Exception {
        String long1 = "ü\"\\\n\u0000𝄞".repeat(150_000);
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("", "");
        fields.put("long", long1);
        List<Tag> tags = List.of(new Tag("a\"b", ""), new Tag("z", "\ud800 alone"));
        ChangeEvent event = write(1, tags, fields);
        try (CdcBatchConverter converter = new CdcBatchConverter(allocator, CdcLayout.FIXED)) {
            List<ChangeEvent> many = List.of(event, event, event, write(2, List.of(), Map.of()));
            VectorSchemaRoot batch = converter.convert(many);
            JsonNode parsed =
                    JSON.readTree(batch.getVector("fields_json").getObject(2).toString());
            assertThat(parsed.get("").asText()).isEmpty();
            assertThat(parsed.get("long").asText()).isEqualTo(long1);
            JsonNode named =
                    JSON.readTree(batch.getVector("tags_json").getObject(1).toString());
            assertThat(named.get("a\"b").asText()).isEmpty();
            assertThat(named.get("z").asText()).isEqualTo("\ufffd alone");
            assertThat(row(batch, 3).subList(4, 6)).containsExactly("{}", "{}");
            assertThat(converter.byteCount()).isGreaterThan(3L * 1_200_000);
        }
    }

    @Test
    void aBatchHoldsWhatWasAddedSinceItWasCleared() {
        try (CdcBatchConverter converter = new CdcBatchConverter(allocator, CdcLayout.FULL)) {
            assertThat(converter.batch().getRowCount()).isZero();
            for (int round = 0; round < 3; round++) {
                converter.clear();
                for (int i = 0; i < 5000 * (round + 1); i++) {
                    converter.add(write(i, Map.of("n", (long) i)));
                }
                VectorSchemaRoot batch = converter.batch();
                assertThat(converter.rowCount()).isEqualTo(5000 * (round + 1));
                assertThat(batch.getVector("fields_json").getObject(4999)).hasToString("{\"n\":4999}");
                assertThat(batch.getVector("seq").getObject(0)).isEqualTo(0L);
            }
            converter.clear();
            assertThat(converter.byteCount()).isZero();
            assertThat(converter.batch().getRowCount()).isZero();
        }
    }

    /** What comes by columns, as from the log, and what comes as objects is the same batch. */
    @Test
    void columnsAndObjectsGiveTheSameRows() throws Exception {
        StreamFilter all = new StreamFilter(
                "default", new TreeSet<>(), EnumSet.noneOf(EventType.class), new TreeMap<>(), new TreeSet<>());
        RandomChanges changes = new RandomChanges(20261130);
        try (CdcBatchConverter byColumns = new CdcBatchConverter(allocator, CdcLayout.FULL);
                CdcBatchConverter byObjects = new CdcBatchConverter(allocator, CdcLayout.FULL)) {
            long seq = 1;
            List<ChangeEvent> events = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                MemoryBatch batch = changes.batch().placed(2, seq, 1000 + i);
                seq += batch.count();
                BatchRows rows = new BatchRows(batch, new RunKey(all, false));
                for (int row = 0; row < batch.count(); row++) {
                    assertThat(rows.moveTo(row)).isTrue();
                    byColumns.add(rows);
                    events.add(batch.event(row));
                }
            }
            assertThat(text(byColumns.batch())).isEqualTo(text(byObjects.convert(events)));
        }
    }

    /** Fields in the order of their names: objects and columns need not agree in that. */
    private static String text(VectorSchemaRoot batch) throws Exception {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < batch.getRowCount(); i++) {
            List<Object> row = row(batch, i);
            row.set(5, JSON.readValue((String) row.get(5), TreeMap.class).toString());
            all.append(row).append('\n');
        }
        return all.toString();
    }
}
