package dev.weir.query;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.weir.query.Table.ColumnHead;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes a table in a format. Integers are exact, times have nine digits, what is absent is null (in CSV: empty, while an empty text is quoted). */
final class TableWriter {
    private static final JsonFactory JSON = new JsonFactory();
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.nnnnnnnnn'Z'");
    private static final long NANOS_OF_SECOND = 1_000_000_000L;

    private final Table table;
    private final boolean int64AsString;

    TableWriter(Table table, boolean int64AsString) {
        this.table = table;
        this.int64AsString = int64AsString;
    }

    Buffer write(RowFormat format) {
        try {
            return switch (format) {
                case JSON -> json();
                case NDJSON -> ndjson();
                case CSV -> csv();
            };
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
    }

    static String time(long nanos) {
        long second = Math.floorDiv(nanos, NANOS_OF_SECOND);
        int rest = (int) Math.floorMod(nanos, NANOS_OF_SECOND);
        return TIME.format(LocalDateTime.ofEpochSecond(second, rest, ZoneOffset.UTC));
    }

    private Buffer json() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream(1024);
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.writeStartObject();
            json.writeArrayFieldStart("columns");
            for (ColumnHead column : table.columns()) {
                json.writeStartObject();
                json.writeStringField("name", column.name());
                json.writeStringField("type", column.type());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeArrayFieldStart("rows");
            for (@Nullable Object[] row : table.rows()) {
                json.writeStartArray();
                for (int i = 0; i < row.length; i++) {
                    value(json, table.columns().get(i), row[i]);
                }
                json.writeEndArray();
            }
            json.writeEndArray();
            json.writeNumberField("row_count", table.rows().size());
            json.writeEndObject();
        }
        out.write('\n');
        return Buffer.buffer(out.toByteArray());
    }

    private Buffer ndjson() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream(1024);
        try (JsonGenerator json = JSON.createGenerator(out).setRootValueSeparator(null)) {
            for (@Nullable Object[] row : table.rows()) {
                json.writeStartObject();
                for (int i = 0; i < row.length; i++) {
                    ColumnHead column = table.columns().get(i);
                    json.writeFieldName(column.name());
                    value(json, column, row[i]);
                }
                json.writeEndObject();
                json.writeRaw('\n');
            }
        }
        return Buffer.buffer(out.toByteArray());
    }

    private void value(JsonGenerator json, ColumnHead column, @Nullable Object value) throws IOException {
        if (value != null && int64AsString && column.canPass2To53()) {
            json.writeString(value.toString());
            return;
        }
        switch (value) {
            case null -> json.writeNull();
            case Long integer -> {
                if (column.type().equals(ColumnHead.TIMESTAMP)) {
                    json.writeString(time(integer));
                } else {
                    json.writeNumber(integer);
                }
            }
            case BigInteger unsigned -> json.writeNumber(unsigned);
            case Double real -> json.writeNumber(real);
            case Boolean bool -> json.writeBoolean(bool);
            default -> json.writeString(value.toString());
        }
    }

    private Buffer csv() {
        StringBuilder out = new StringBuilder(1024);
        List<ColumnHead> columns = table.columns();
        for (int i = 0; i < columns.size(); i++) {
            out.append(i == 0 ? "" : ",").append(quoted(columns.get(i).name()));
        }
        out.append("\r\n");
        for (@Nullable Object[] row : table.rows()) {
            for (int i = 0; i < row.length; i++) {
                out.append(i == 0 ? "" : ",").append(cell(columns.get(i), row[i]));
            }
            out.append("\r\n");
        }
        return Buffer.buffer(out.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static String cell(ColumnHead column, @Nullable Object value) {
        return switch (value) {
            case null -> "";
            case String text -> quoted(text);
            case Long integer -> column.type().equals(ColumnHead.TIMESTAMP) ? time(integer) : integer.toString();
            default -> value.toString();
        };
    }

    private static String quoted(String text) {
        boolean plain = !text.isEmpty()
                && text.chars().noneMatch(c -> c == '"' || c == ',' || c == '\n' || c == '\r')
                && text.strip().length() == text.length();
        return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
}
