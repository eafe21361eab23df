package dev.weir.ops.query;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.ops.client.Json;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads an answer in JSON row by row, so that a long one needs no memory. One thread. */
final class RowReader implements AutoCloseable {
    private final JsonParser json;
    private final List<Column> columns = new ArrayList<>();

    /** Name and SQL type. */
    record Column(String name, String type) {
        boolean isTime() {
            return type.startsWith("TIMESTAMP") || type.equals("DATE");
        }

        boolean isNumber() {
            return type.endsWith("INT")
                    || type.endsWith("INTEGER")
                    || type.equals("DOUBLE")
                    || type.equals("FLOAT")
                    || type.startsWith("DECIMAL");
        }
    }

    /** Reads up to the first row. */
    RowReader(InputStream in) throws IOException {
        json = Json.MAPPER.createParser(in);
        expect(JsonToken.START_OBJECT);
        while (json.nextToken() == JsonToken.FIELD_NAME && !json.currentName().equals("rows")) {
            boolean isColumns = json.currentName().equals("columns");
            json.nextToken();
            JsonNode value = Json.MAPPER.readTree(json);
            if (isColumns) {
                value.forEach(column -> columns.add(new Column(
                        column.path("name").asText(), column.path("type").asText())));
            }
        }
        expect(JsonToken.START_ARRAY);
    }

    List<Column> columns() {
        return columns;
    }

    /** The next row; null after the last. An answer that breaks off fails. */
    @Nullable
    JsonNode next() throws IOException {
        JsonToken token = json.nextToken();
        if (token == JsonToken.START_ARRAY) {
            return Json.MAPPER.readTree(json);
        }
        while (token != null) {
            token = json.nextToken();
        }
        return null;
    }

    private void expect(JsonToken token) throws IOException {
        JsonToken found = json.nextToken();
        if (found != token) {
            throw new IOException("the answer: expected " + token + ", found " + found);
        }
    }

    @Override
    public void close() throws IOException {
        json.close();
    }
}
