package dev.weir.query.sql;

import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.TableSchema;
import dev.weir.query.sql.image.ArrowBatches;
import dev.weir.query.sql.image.BufferImage;
import dev.weir.query.sql.image.FileImage;
import dev.weir.query.sql.image.FileImage.SourceColumn;
import dev.weir.query.sql.image.TimeRange;
import dev.weir.query.sql.plan.Quoted;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.TimeStampNanoVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** Rows of a test, stored as a flush would store them: in a Parquet file that DuckDB writes, or as Arrow batches. */
final class TestRows {
    /** One written row; values by column name. */
    record Row(long time, long seq, Map<String, Object> values) {}

    private final TableSchema schema;
    private final List<Row> rows = new ArrayList<>();
    private long seq;
    private boolean mayRepeat;

    TestRows(TableSchema schema, long firstSeq) {
        this.schema = schema;
        this.seq = firstSeq;
    }

    static TableSchema schema(String tenant, String name, Column... columns) {
        return new TableSchema(Math.abs(name.hashCode()), tenant, name, 1, false, List.of(columns));
    }

    static Column tag(int id, String name) {
        return new Column(id, name, ColumnRole.TAG, FieldType.STRING, false);
    }

    static Column field(int id, String name, FieldType type) {
        return new Column(id, name, ColumnRole.FIELD, type, false);
    }

    /** Names and values in turn. */
    TestRows row(long time, Object... namesAndValues) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            values.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        rows.add(new Row(time, seq++, values));
        return this;
    }

    TestRows mayRepeat() {
        mayRepeat = true;
        return this;
    }

    private TimeRange times() {
        return new TimeRange(
                rows.stream().mapToLong(Row::time).min().orElse(0),
                rows.stream().mapToLong(Row::time).max().orElse(0));
    }

    private Map<Integer, SourceColumn> columns() {
        Map<Integer, SourceColumn> columns = new HashMap<>();
        schema.columns().forEach(column -> columns.put(column.id(), new SourceColumn(column.name(), column.type())));
        return columns;
    }

    private long hash(Row row) {
        StringBuilder tags = new StringBuilder();
        schema.columns().stream()
                .filter(column -> column.role() == ColumnRole.TAG)
                .forEach(column -> tags.append(row.values.get(column.name())).append('\0'));
        return tags.toString().hashCode() * 0x9E3779B97F4A7C15L;
    }

    FileImage file(Path path) throws SQLException {
        try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duck.createStatement()) {
            statement.execute("SET TimeZone = 'UTC'");
            List<String> lines = new ArrayList<>();
            for (Row row : rows) {
                List<String> cells = new ArrayList<>();
                cells.add("make_timestamptz(" + Math.floorDiv(row.time, 1000) + ")");
                cells.add(Math.floorMod(row.time, 1000) + "::INTEGER");
                cells.add(row.seq + "::BIGINT");
                cells.add(Long.toUnsignedString(hash(row)) + "::UBIGINT");
                for (Column column : schema.columns()) {
                    Object value = row.values.get(column.name());
                    cells.add((value == null ? "NULL" : Quoted.text(value.toString())) + "::"
                            + column.type().sqlName());
                }
                lines.add("(" + String.join(", ", cells) + ")");
            }
            List<String> names = new ArrayList<>(List.of("\"time\"", "_time_ns", "_seq", "_series_hash"));
            schema.columns().forEach(column -> names.add(Quoted.name(column.name())));
            statement.execute("COPY (SELECT * FROM (VALUES " + String.join(", ", lines) + ") v("
                    + String.join(", ", names) + ")) TO " + Quoted.text(path.toString()) + " (FORMAT parquet)");
        }
        boolean wholeMicros = rows.stream().allMatch(row -> Math.floorMod(row.time, 1000) == 0);
        return new FileImage(path, times(), rows.size(), seq - 1, mayRepeat, wholeMicros, columns());
    }

    BufferImage buffer() {
        return new BufferImage(times(), rows.size(), seq - 1, mayRepeat, columns(), this::reader);
    }

    ArrowBatches batches() {
        return this::reader;
    }

    private ArrowReader reader(BufferAllocator allocator) {
        List<Field> fields = new ArrayList<>();
        fields.add(Field.nullable("time", new ArrowType.Timestamp(TimeUnit.NANOSECOND, null)));
        fields.add(Field.nullable("_seq", new ArrowType.Int(64, true)));
        fields.add(Field.nullable("_series_hash", new ArrowType.Int(64, false)));
        schema.columns().forEach(column -> fields.add(Field.nullable(column.name(), arrow(column.type()))));
        return new ArrowReader(allocator) {
            private boolean done;

            @Override
            public boolean loadNextBatch() throws IOException {
                prepareLoadNextBatch();
                if (done) {
                    return false;
                }
                done = true;
                fill(getVectorSchemaRoot());
                return true;
            }

            @Override
            public long bytesRead() {
                return 0;
            }

            @Override
            protected void closeReadSource() {}

            @Override
            protected Schema readSchema() {
                return new Schema(fields);
            }
        };
    }

    private void fill(VectorSchemaRoot root) {
        root.allocateNew();
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            ((TimeStampNanoVector) root.getVector("time")).setSafe(i, row.time);
            ((BigIntVector) root.getVector("_seq")).setSafe(i, row.seq);
            ((UInt8Vector) root.getVector("_series_hash")).setSafe(i, hash(row));
            for (Column column : schema.columns()) {
                Object value = row.values.get(column.name());
                if (value != null) {
                    set(root.getVector(column.name()), i, value);
                }
            }
        }
        root.setRowCount(rows.size());
    }

    private static void set(FieldVector vector, int row, Object value) {
        switch (vector) {
            case VarCharVector text -> text.setSafe(row, value.toString().getBytes(StandardCharsets.UTF_8));
            case Float8Vector real -> real.setSafe(row, ((Number) value).doubleValue());
            case BigIntVector integer -> integer.setSafe(row, ((Number) value).longValue());
            case UInt8Vector unsigned -> unsigned.setSafe(row, new BigInteger(value.toString()).longValue());
            case BitVector bool -> bool.setSafe(row, (Boolean) value ? 1 : 0);
            default -> throw new IllegalArgumentException(vector.toString());
        }
    }

    private static ArrowType arrow(FieldType type) {
        return switch (type) {
            case FLOAT64 -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
            case INT64 -> new ArrowType.Int(64, true);
            case UINT64 -> new ArrowType.Int(64, false);
            case BOOL -> ArrowType.Bool.INSTANCE;
            case STRING -> ArrowType.Utf8.INSTANCE;
        };
    }
}
