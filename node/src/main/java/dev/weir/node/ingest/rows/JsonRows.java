package dev.weir.node.ingest.rows;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.weir.partition.model.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a JSON body: one object, an array of objects, or an object a line. A line that is no JSON costs itself; an object or array that is no
 * JSON is refused as a whole, since nothing tells where its rows end.
 */
public final class JsonRows implements RowReader {
    private static final JsonFactory JSON = new JsonFactoryBuilder()
            .configure(JsonFactory.Feature.CHARSET_DETECTION, false)
            .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNumberLength(1 << 20)
                    .maxNameLength(1 << 20)
                    .maxStringLength(1 << 27)
                    .build())
            .build();

    private final byte[] body;
    private final int from;
    private final int end;
    private final JsonOptions options;
    private final Row row = new Row();
    private final JsonObjectReader object;
    private final JsonShape shape;
    private final boolean ascii;
    private @Nullable JsonParser array;
    private boolean sought;
    private int next;
    private int number;
    private int place;
    private int stop;
    private int line;
    private @Nullable String named;
    private @Nullable RowFault fault;
    private @Nullable RowFault bodyFault;

    public JsonRows(byte[] body, int length, JsonOptions options, NameCaches caches, String tenant) {
        this.body = body;
        this.from = length >= 3 && body[0] == (byte) 0xef && body[1] == (byte) 0xbb && body[2] == (byte) 0xbf ? 3 : 0;
        this.end = length;
        this.next = from;
        this.options = options;
        this.object = new JsonObjectReader(options, caches.tenant(tenant), row);
        JsonShape found = JsonShape.of(body, from, end);
        this.shape = options.lines() && found != JsonShape.EMPTY ? JsonShape.LINES : found;
        this.ascii = ByteScan.ascii(body, 0, length);
        if (shape == JsonShape.EMPTY && !options.lines()) {
            bodyFault = new RowFault(
                    ErrorCode.SYNTAX, "the body is empty: expected a JSON object, an array of them, or one a line");
        } else if (!ascii && shape != JsonShape.LINES && Utf8.firstInvalid(body, from, end) < end) {
            bodyFault = new RowFault(
                    ErrorCode.INVALID_UTF8, "byte " + Utf8.firstInvalid(body, from, end) + " of the body is not UTF-8");
        }
    }

    @Override
    public boolean next() {
        if (bodyFault != null) {
            return false;
        }
        fault = null;
        named = null;
        try {
            return sought
                    ? soughtRow()
                    : switch (shape) {
                        case EMPTY -> false;
                        case OBJECT -> onlyObject();
                        case ARRAY -> element();
                        case LINES -> lineRow();
                    };
        } catch (JsonProcessingException e) {
            bodyFault = new RowFault(ErrorCode.SYNTAX, "the body is no JSON, nothing was stored: " + describe(e));
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public @Nullable RowFault fault() {
        return fault;
    }

    @Override
    public @Nullable RowFault bodyFault() {
        return bodyFault;
    }

    @Override
    public Row row() {
        return row;
    }

    @Override
    public int line() {
        return line;
    }

    @Override
    public int place() {
        return place;
    }

    @Override
    public int stop() {
        return stop;
    }

    @Override
    public @Nullable String measurement() {
        JsonOptions.Flat flat = options.flat();
        return flat == null ? named : flat.measurement();
    }

    @Override
    public void seek(int at, int lineNumber) {
        sought = true;
        place = at;
        line = lineNumber;
    }

    @Override
    public String locate(int field, String message) {
        return locate(message);
    }

    @Override
    public String locate(String message) {
        return (shape == JsonShape.ARRAY ? "element " : "line ") + line + ": " + message;
    }

    @Override
    public boolean loose() {
        return true;
    }

    @Override
    public int droppedFields() {
        return 0;
    }

    JsonOptions options() {
        return options;
    }

    private boolean onlyObject() throws IOException {
        if (number++ > 0) {
            return false;
        }
        place = JsonShape.content(body, from, end);
        line = 1;
        try (JsonParser json = JSON.createParser(body, place, end - place)) {
            value(json, json.nextToken());
            stop = end;
            if (json.nextToken() != null) {
                throw new JsonParseException(json, "unexpected text after the object", json.currentTokenLocation());
            }
        }
        return true;
    }

    private boolean element() throws IOException {
        JsonParser json = array;
        if (json == null) {
            json = JSON.createParser(body, from, end - from);
            array = json;
            json.nextToken();
        }
        JsonToken token = json.nextToken();
        if (token == JsonToken.END_ARRAY) {
            if (json.nextToken() != null) {
                throw new JsonParseException(json, "unexpected text after the array", json.currentTokenLocation());
            }
            return false;
        }
        place = from + (int) json.currentTokenLocation().getByteOffset();
        line = number++;
        value(json, token);
        stop = from + (int) json.currentLocation().getByteOffset();
        checkSize(stop);
        return true;
    }

    private boolean lineRow() throws IOException {
        while (true) {
            if (next >= end) {
                return false;
            }
            int lineEnd = ByteScan.indexOf(body, '\n', next, end);
            place = JsonShape.content(body, next, lineEnd);
            stop = lineEnd;
            next = lineEnd + 1;
            line = ++number;
            if (place < lineEnd) {
                oneLine(lineEnd);
                return true;
            }
        }
    }

    private boolean soughtRow() throws IOException {
        if (shape == JsonShape.LINES) {
            stop = ByteScan.indexOf(body, '\n', place, end);
            oneLine(stop);
            return true;
        }
        if ("{[\"".indexOf(body[place]) < 0) {
            stop = wordEnd(place);
            fault = new RowFault(ErrorCode.SYNTAX, locate("expected an object"));
            return true;
        }
        try (JsonParser json = JSON.createParser(body, place, end - place)) {
            value(json, json.nextToken());
            stop = shape == JsonShape.OBJECT
                    ? end
                    : place + (int) json.currentLocation().getByteOffset();
        }
        return true;
    }

    /** Where a number, true, false or null ends. */
    private int wordEnd(int at) {
        int p = at;
        while (p < end && body[p] != ',' && body[p] != ']' && !JsonShape.isSpace(body[p])) {
            p++;
        }
        return p;
    }

    private void oneLine(int lineEnd) throws IOException {
        if (!ascii && Utf8.firstInvalid(body, place, lineEnd) < lineEnd) {
            fault = new RowFault(ErrorCode.INVALID_UTF8, locate("the bytes are not UTF-8"));
            return;
        }
        try (JsonParser json = JSON.createParser(body, place, lineEnd - place)) {
            value(json, json.nextToken());
            if (json.nextToken() != null) {
                fault = new RowFault(ErrorCode.SYNTAX, locate("unexpected text after the object"));
            }
            checkSize(lineEnd);
        } catch (JsonProcessingException e) {
            fault = new RowFault(
                    ErrorCode.SYNTAX,
                    locate("no JSON: " + describe(e) + " [" + Snippet.ofLine(body, place, lineEnd) + "]"));
        }
    }

    private void value(JsonParser json, @Nullable JsonToken token) throws IOException {
        if (token != JsonToken.START_OBJECT) {
            json.skipChildren();
            fault = new RowFault(ErrorCode.SYNTAX, locate("expected an object"));
            return;
        }
        object.read(json);
        named = object.measurement();
        RowFault found = object.fault();
        fault = found == null ? null : new RowFault(found.code(), locate(found.message()));
    }

    private void checkSize(int stop) {
        if (stop - place > options.rowBytesMax() && fault == null) {
            fault = new RowFault(
                    ErrorCode.LIMIT_ROW,
                    locate("the row takes " + (stop - place) + " bytes, at most " + options.rowBytesMax()
                            + " are allowed"));
        }
    }

    private static String describe(JsonProcessingException e) {
        JsonLocation at = e.getLocation();
        String message = e.getOriginalMessage();
        int source = message.indexOf("\n");
        String where = at == null ? "" : "line " + at.getLineNr() + ", column " + at.getColumnNr() + ": ";
        return where + Snippet.ofText(source < 0 ? message : message.substring(0, source));
    }
}
