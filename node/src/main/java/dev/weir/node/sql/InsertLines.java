package dev.weir.node.sql;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.TableSchema;
import dev.weir.query.sql.statement.TableStatements.InsertRows;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows of an INSERT as NDJSON, the form in which {@code /api/v1/write} takes them, so that both mean the same. */
final class InsertLines {
    private static final JsonFactory JSON = new JsonFactory();
    private static final String TIME = "time";

    private InsertLines() {}

    /**
     * @param unitNanos what an integer in {@code time} counts
     * @return a line a row
     */
    static byte[] write(TableSchema table, List<String> columns, InsertRows rows, long unitNanos) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(out)) {
            for (@Nullable Object[] row : rows.rows()) {
                json.writeStartObject();
                json.writeStringField("measurement", table.name());
                json.writeObjectFieldStart("tags");
                write(json, table, columns, row, ColumnRole.TAG);
                json.writeEndObject();
                json.writeObjectFieldStart("fields");
                write(json, table, columns, row, ColumnRole.FIELD);
                json.writeEndObject();
                int time = columns.indexOf(TIME);
                if (time >= 0 && row[time] != null) {
                    json.writeFieldName("timestamp");
                    time(json, row[time], rows.timeIsNanos() ? 1 : unitNanos);
                }
                json.writeEndObject();
                json.writeRaw('\n');
            }
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory", e);
        }
        return out.toByteArray();
    }

    private static void write(
            JsonGenerator json, TableSchema table, List<String> columns, @Nullable Object[] row, ColumnRole role)
            throws IOException {
        for (int i = 0; i < columns.size(); i++) {
            String name = columns.get(i);
            Object value = row[i];
            Optional<Column> column = table.column(name);
            boolean isTag = column.isPresent() && column.get().role() == ColumnRole.TAG;
            if (value == null || name.equals(TIME) || isTag != (role == ColumnRole.TAG)) {
                continue;
            }
            json.writeFieldName(name);
            if (isTag) {
                json.writeString(value.toString());
            } else {
                field(json, value);
            }
        }
    }

    private static void field(JsonGenerator json, Object value) throws IOException {
        switch (value) {
            case Long number -> json.writeNumber(number);
            case BigInteger number -> json.writeNumber(number);
            case Boolean flag -> json.writeBoolean(flag);
            // With a fraction, so that it is no integer; NaN and the infinities are refused where rows are read.
            case Double number -> json.writeNumber(number);
            case String text -> json.writeString(text);
            default -> throw new IllegalArgumentException("INSERT: value of " + value.getClass());
        }
    }

    private static void time(JsonGenerator json, @Nullable Object value, long unitNanos) throws IOException {
        if (value instanceof Long count) {
            json.writeNumber(BigInteger.valueOf(count).multiply(BigInteger.valueOf(unitNanos)));
        } else if (value instanceof BigInteger count) {
            json.writeNumber(count.multiply(BigInteger.valueOf(unitNanos)));
        } else if (value instanceof Double count) {
            json.writeNumber(BigDecimal.valueOf(count));
        } else {
            json.writeString(String.valueOf(value));
        }
    }
}
