package dev.weir.node.letters;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.weir.node.ingest.letter.Letter;
import dev.weir.node.ingest.letter.LetterTable;
import dev.weir.partition.model.Tag;
import dev.weir.query.sql.plan.VisibleColumns.Visible;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row of a table.
 *
 * @param tags sorted
 * @param text as {@code /api/v1/write} takes it
 * @param fields how many it has
 */
record WholeRow(long timeNanos, List<Tag> tags, String text, int fields) {
    private static final JsonFactory JSON = new JsonFactory();

    /** @param cells one for each column, in their order */
    static WholeRow of(String table, long timeNanos, List<Visible> columns, @Nullable Object[] cells) {
        List<Tag> tags = new ArrayList<>();
        int fields = 0;
        for (int i = 0; i < cells.length; i++) {
            Object cell = cells[i];
            if (cell != null && columns.get(i).isTag()) {
                tags.add(new Tag(columns.get(i).column().name(), (String) cell));
            } else if (cell != null) {
                fields++;
            }
        }
        List<Tag> sorted = tags.stream().sorted().toList();
        return new WholeRow(timeNanos, sorted, text(table, timeNanos, sorted, columns, cells), fields);
    }

    private static String text(
            String table, long timeNanos, List<Tag> tags, List<Visible> columns, @Nullable Object[] cells) {
        StringWriter out = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.writeStartObject();
            json.writeStringField("measurement", table);
            json.writeObjectFieldStart("tags");
            for (Tag tag : tags) {
                json.writeStringField(tag.key(), tag.value());
            }
            json.writeEndObject();
            json.writeObjectFieldStart("fields");
            for (int i = 0; i < cells.length; i++) {
                Object cell = cells[i];
                if (cell != null && !columns.get(i).isTag()) {
                    json.writeFieldName(columns.get(i).column().name());
                    field(json, cell);
                }
            }
            json.writeEndObject();
            json.writeNumberField("timestamp", timeNanos);
            json.writeEndObject();
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory", e);
        }
        return out.toString();
    }

    private static void field(JsonGenerator json, Object value) throws IOException {
        switch (value) {
            case Long number -> json.writeNumber(number);
            case BigInteger number -> json.writeNumber(number);
            case Boolean flag -> json.writeBoolean(flag);
            case Double number -> json.writeNumber(number);
            case String text -> json.writeString(text);
            default -> throw new IllegalStateException("field of " + value.getClass());
        }
    }

    /** A row whose only fields are dropped columns can't be written again as it is. */
    Letter letter(int line, String table) {
        boolean whole = fields > 0;
        String message = "set aside from table " + table + (whole ? "" : ": all of its fields are dropped columns");
        return new Letter(LetterTable.QUARANTINED, line, table, message, text, !whole);
    }
}
