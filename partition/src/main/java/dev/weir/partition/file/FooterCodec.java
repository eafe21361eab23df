package dev.weir.partition.file;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.TableSchema;
import java.io.IOException;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The key-value metadata of a data file, version {@value #VERSION}: {@code weir.format}, {@code weir.tenant}, {@code weir.table},
 * {@code weir.table-id}, {@code weir.schema-version}, {@code weir.partition}, {@code weir.first-seq}, {@code weir.last-seq}, {@code weir.day},
 * and {@code weir.columns}, a JSON array of {@code {"id","name","role","type","column"}}.
 */
final class FooterCodec {
    static final int VERSION = 1;
    private static final ObjectMapper JSON = new ObjectMapper();

    private FooterCodec() {}

    static Map<String, String> encode(FileHead head, FileSchema schema, LocalDate day) {
        TableSchema table = head.schema();
        Map<String, String> values = new LinkedHashMap<>();
        values.put("weir.format", String.valueOf(VERSION));
        values.put("weir.tenant", table.tenant());
        values.put("weir.table", table.name());
        values.put("weir.table-id", String.valueOf(table.tableId()));
        values.put("weir.schema-version", String.valueOf(table.version()));
        values.put("weir.partition", String.valueOf(head.partition()));
        values.put("weir.first-seq", String.valueOf(head.firstSeq()));
        values.put("weir.last-seq", String.valueOf(head.lastSeq()));
        values.put("weir.day", day.toString());
        values.put("weir.columns", columns(table, schema));
        return values;
    }

    /** @throws IOException a value is missing or not as it should be */
    static DataFileInfo decode(Map<String, String> values, long rows) throws IOException {
        String format = text(values, "weir.format");
        if (!format.equals(String.valueOf(VERSION))) {
            throw new IOException("format " + format + ", expected " + VERSION);
        }
        return new DataFileInfo(
                text(values, "weir.tenant"),
                text(values, "weir.table"),
                (int) number(values, "weir.table-id"),
                (int) number(values, "weir.schema-version"),
                (int) number(values, "weir.partition"),
                number(values, "weir.first-seq"),
                number(values, "weir.last-seq"),
                day(values),
                rows,
                columns(text(values, "weir.columns")));
    }

    private static String columns(TableSchema table, FileSchema schema) {
        ArrayNode array = JSON.createArrayNode();
        for (Column column : table.columns()) {
            array.addObject()
                    .put("id", column.id())
                    .put("name", column.name())
                    .put("role", column.role().name().toLowerCase(Locale.ROOT))
                    .put("type", column.type().wireName())
                    .put("column", schema.nameOf(column));
        }
        return array.toString();
    }

    private static List<FileColumn> columns(String text) throws IOException {
        try {
            List<FileColumn> columns = new ArrayList<>();
            for (JsonNode node : JSON.readTree(text)) {
                Column column = new Column(
                        node.path("id").asInt(-1),
                        node.path("name").asText(),
                        node.path("role").asText().equals("tag") ? ColumnRole.TAG : ColumnRole.FIELD,
                        type(node.path("type").asText()),
                        false);
                columns.add(new FileColumn(column, node.path("column").asText()));
            }
            return columns;
        } catch (JsonProcessingException e) {
            throw new IOException("weir.columns is no JSON: " + e.getOriginalMessage(), e);
        }
    }

    private static FieldType type(String wireName) throws IOException {
        for (FieldType type : FieldType.values()) {
            if (type.wireName().equals(wireName)) {
                return type;
            }
        }
        throw new IOException("weir.columns: type '" + wireName + "' is not known");
    }

    private static String text(Map<String, String> values, String key) throws IOException {
        String value = values.get(key);
        if (value == null) {
            throw new IOException(key + " is missing: no data file of Weir's");
        }
        return value;
    }

    private static long number(Map<String, String> values, String key) throws IOException {
        String value = text(values, key);
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IOException(key + ": expected a number, found '" + value + "'", e);
        }
    }

    private static LocalDate day(Map<String, String> values) throws IOException {
        String value = text(values, "weir.day");
        try {
            return LocalDate.parse(value);
        } catch (DateTimeParseException e) {
            throw new IOException("weir.day: expected YYYY-MM-DD, found '" + value + "'", e);
        }
    }
}
