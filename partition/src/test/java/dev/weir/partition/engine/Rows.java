package dev.weir.partition.engine;

import dev.weir.partition.entry.RowBlock;
import dev.weir.partition.entry.RowBlockBuilder;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.SeriesKey;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import dev.weir.partition.write.AppendRequest;
import dev.weir.partition.write.BatchId;
import dev.weir.partition.write.IdempotencyUnit;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Builds requests for tests. */
final class Rows {
    static final int PARTITION = 3;
    static final int GENERATION = 1;

    private Rows() {}

    /** A row as a test says it: a tag {@code host}, and fields. */
    record Row(String host, long time, Map<String, Object> fields) {}

    static Row row(String host, long time, Object... fields) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < fields.length; i += 2) {
            map.put((String) fields[i], fields[i + 1]);
        }
        return new Row(host, time, map);
    }

    /** A table with the tag {@code host} and the fields {@code f} (float64), {@code i} (int64), {@code s} (string), {@code b} (bool). */
    static TableSchema schema(int tableId, String tenant, String name, int version) {
        List<Column> columns = new ArrayList<>(List.of(
                new Column(1, "host", ColumnRole.TAG, FieldType.STRING, false),
                new Column(2, "f", ColumnRole.FIELD, FieldType.FLOAT64, false),
                new Column(3, "i", ColumnRole.FIELD, FieldType.INT64, false),
                new Column(4, "s", ColumnRole.FIELD, FieldType.STRING, false),
                new Column(5, "b", ColumnRole.FIELD, FieldType.BOOL, false)));
        for (int v = 2; v <= version; v++) {
            columns.add(new Column(4 + v, "more" + v, ColumnRole.FIELD, FieldType.FLOAT64, false));
        }
        return new TableSchema(tableId, tenant, name, version, false, columns);
    }

    static RowBlock block(TableSchema schema, Row... rows) {
        return block(schema, List.of(rows));
    }

    static RowBlock block(TableSchema schema, List<Row> rows) {
        RowBlockBuilder builder = new RowBlockBuilder(schema.tenant(), schema);
        for (Row row : rows) {
            List<Tag> tags = row.host().isEmpty() ? List.of() : List.of(new Tag("host", row.host()));
            builder.beginRow(builder.series(new SeriesKey(schema.tenant(), schema.name(), tags)), row.time());
            row.fields()
                    .forEach((name, value) -> put(builder, schema.column(name).orElseThrow(), value));
            builder.endRow();
        }
        return builder.build();
    }

    static AppendRequest request(long counter, RowBlock... blocks) {
        return request(new BatchId("front", 1, counter), null, blocks);
    }

    static AppendRequest request(BatchId batch, IdempotencyUnit unit, RowBlock... blocks) {
        return new AppendRequest(PARTITION, GENERATION, 1, batch, unit, List.of(blocks));
    }

    private static void put(RowBlockBuilder builder, Column column, Object value) {
        switch (value) {
            case Double number -> builder.putDouble(column.id(), number);
            case Long number -> builder.putLong(column.id(), number);
            case Boolean bool -> builder.putBool(column.id(), bool);
            case String text -> {
                byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
                builder.putString(column.id(), utf8, 0, utf8.length);
            }
            default -> throw new IllegalArgumentException("value " + value);
        }
    }
}
