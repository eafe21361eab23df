package dev.weir.node.ingest.rows;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.Tag;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads one JSON object into a {@link Row}. What is well-formed but no row leaves a {@link #fault} with the path of the member; the object is read to
 * its end all the same.
 */
final class JsonObjectReader {
    /** The longest integer of uint64, and some leading of nothing: what is longer is out of range. */
    private static final int INTEGER_CHARS_MAX = 20;

    private static final int FLOAT_CHARS_MAX = 1_000;
    private static final BigInteger UINT64_MAX = BigInteger.TWO.pow(64).subtract(BigInteger.ONE);

    private final JsonOptions options;
    private final TenantNames tenant;
    private final Row row;
    private final List<String> fieldKeys = new ArrayList<>();
    private final Set<String> keysSeen = new HashSet<>();
    private final List<Tag> tags = new ArrayList<>();
    private byte[] text = new byte[256];
    private int textLength;
    private @Nullable String measurement;
    private boolean timeSeen;
    private boolean fieldSeen;
    private @Nullable RowFault fault;

    JsonObjectReader(JsonOptions options, TenantNames tenant, Row row) {
        this.options = options;
        this.tenant = tenant;
        this.row = row;
    }

    /** Why the object is no row, without the row's place; null if it is one. */
    @Nullable
    RowFault fault() {
        return fault;
    }

    /** The member that names the measurement; null where there is none. */
    @Nullable
    String measurement() {
        return measurement;
    }

    /** Reads from START_OBJECT to its END_OBJECT. */
    void read(JsonParser json) throws IOException {
        reset();
        JsonOptions.Flat flat = options.flat();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String key = json.currentName();
            json.nextToken();
            if (flat == null) {
                member(json, key);
            } else {
                flatMember(json, key, flat);
            }
        }
        if (fault == null) {
            finish();
        }
    }

    private void reset() {
        fault = null;
        measurement = null;
        timeSeen = false;
        fieldSeen = false;
        row.timed = false;
        row.count = 0;
        textLength = 0;
        fieldKeys.clear();
        keysSeen.clear();
        tags.clear();
    }

    private void member(JsonParser json, String key) throws IOException {
        switch (key) {
            case "measurement", "table" -> {
                if (measurement != null) {
                    refuse(ErrorCode.SYNTAX, key, "the measurement is given twice");
                }
                if (json.currentToken() == JsonToken.VALUE_STRING) {
                    measurement = json.getText();
                } else {
                    refuse(ErrorCode.SYNTAX, key, "expected text");
                }
                json.skipChildren();
            }
            case "tags" -> members(json, key, true);
            case "fields" -> members(json, key, false);
            case "timestamp", "time" -> time(json, key);
            default -> {
                refuse(ErrorCode.SYNTAX, key, "unknown member, expected measurement, tags, fields, timestamp");
                json.skipChildren();
            }
        }
    }

    private void flatMember(JsonParser json, String key, JsonOptions.Flat flat) throws IOException {
        if (!keysSeen.add(key)) {
            refuse(ErrorCode.SYNTAX, key, "is given twice");
        }
        if (key.equals(flat.timeKey())) {
            time(json, key);
        } else if (flat.tags().contains(key)) {
            tag(json, key, key);
        } else {
            field(json, key, key);
        }
    }

    private void members(JsonParser json, String parent, boolean asTags) throws IOException {
        if (!keysSeen.add(parent)) {
            refuse(ErrorCode.SYNTAX, parent, "is given twice");
        }
        if (json.currentToken() == JsonToken.VALUE_NULL) {
            return;
        }
        if (json.currentToken() != JsonToken.START_OBJECT) {
            refuse(ErrorCode.SYNTAX, parent, "expected an object");
            json.skipChildren();
            return;
        }
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String key = json.currentName();
            String path = parent + "." + key;
            json.nextToken();
            if (!keysSeen.add(path)) {
                refuse(ErrorCode.SYNTAX, path, "is given twice");
            }
            if (asTags) {
                tag(json, key, path);
            } else {
                field(json, key, path);
            }
        }
    }

    private void tag(JsonParser json, String key, String path) throws IOException {
        switch (json.currentToken()) {
            case VALUE_STRING, VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT, VALUE_TRUE, VALUE_FALSE -> {
                String value = json.getText();
                if (isUnicode(value, path) && !value.isEmpty()) {
                    tags.add(new Tag(key, value));
                }
            }
            case VALUE_NULL -> {}
            default -> {
                refuse(ErrorCode.UNSUPPORTED_VALUE, path, "a tag is text, a number, true or false");
                json.skipChildren();
            }
        }
    }

    private void field(JsonParser json, String key, String path) throws IOException {
        fieldSeen = true;
        switch (json.currentToken()) {
            case VALUE_NULL -> {}
            case VALUE_STRING -> string(key, json.getText(), path);
            case VALUE_TRUE -> add(key, FieldType.BOOL, 1);
            case VALUE_FALSE -> add(key, FieldType.BOOL, 0);
            case VALUE_NUMBER_INT -> integer(json, key, path);
            case VALUE_NUMBER_FLOAT -> fraction(json, key, path);
            case START_ARRAY -> array(json, path);
            default -> {
                refuse(ErrorCode.UNSUPPORTED_VALUE, path, "objects can't be stored in a field");
                json.skipChildren();
            }
        }
    }

    private void array(JsonParser json, String path) throws IOException {
        int depth = 1;
        boolean empty = true;
        while (depth > 0) {
            JsonToken token = json.nextToken();
            if (token == null) {
                return;
            }
            depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
            empty &= depth == 0;
        }
        if (!empty) {
            refuse(ErrorCode.UNSUPPORTED_VALUE, path, "arrays can't be stored in a field");
        }
    }

    private void string(String key, String value, String path) {
        if (!isUnicode(value, path)) {
            return;
        }
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        if (text.length - textLength < bytes.length) {
            text = Arrays.copyOf(text, Math.max(text.length * 2, textLength + bytes.length));
        }
        System.arraycopy(bytes, 0, text, textLength, bytes.length);
        int index = add(key, FieldType.STRING, 0);
        row.textFrom[index] = textLength;
        row.textLength[index] = bytes.length;
        textLength += bytes.length;
    }

    private void integer(JsonParser json, String key, String path) throws IOException {
        if (json.getTextLength() <= INTEGER_CHARS_MAX) {
            if (json.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
                add(key, FieldType.INT64, json.getLongValue());
                return;
            }
            BigInteger value = json.getBigIntegerValue();
            if (value.signum() > 0 && value.compareTo(UINT64_MAX) <= 0) {
                add(key, FieldType.UINT64, value.longValue());
                return;
            }
        }
        refuse(
                ErrorCode.NUMBER_OUT_OF_RANGE,
                path,
                "the integer lies outside " + Long.MIN_VALUE + " to 18446744073709551615");
    }

    private void fraction(JsonParser json, String key, String path) throws IOException {
        double value = json.getTextLength() <= FLOAT_CHARS_MAX ? json.getDoubleValue() : Double.POSITIVE_INFINITY;
        if (Double.isInfinite(value)) {
            refuse(ErrorCode.NUMBER_OUT_OF_RANGE, path, "the number lies outside float64");
        } else {
            add(key, FieldType.FLOAT64, Double.doubleToRawLongBits(value));
        }
    }

    private void time(JsonParser json, String path) throws IOException {
        if (timeSeen) {
            refuse(ErrorCode.SYNTAX, path, "the time is given twice");
        }
        timeSeen = true;
        switch (json.currentToken()) {
            case VALUE_NULL -> {}
            case VALUE_NUMBER_INT -> integerTime(json.getText(), path);
            case VALUE_STRING -> textTime(json.getText(), path);
            default -> {
                refuse(ErrorCode.SYNTAX, path, "expected an integer or an RFC 3339 time");
                json.skipChildren();
            }
        }
    }

    private void textTime(String value, String path) {
        if (value.matches("[-+]?[0-9]{1,25}")) {
            integerTime(value, path);
            return;
        }
        try {
            row.timestampNanos = Rfc3339.nanos(value);
            row.timed = true;
        } catch (Rfc3339.NoTimeException e) {
            boolean range = String.valueOf(e.getMessage()).contains("outside range");
            refuse(range ? ErrorCode.TIME_OUT_OF_RANGE : ErrorCode.SYNTAX, path, String.valueOf(e.getMessage()));
        }
    }

    private void integerTime(String digits, String path) {
        try {
            long count = Long.parseLong(digits);
            if (options.precision().covers(count)) {
                row.timestampNanos = count * options.precision().nanos();
                row.timed = true;
                return;
            }
        } catch (NumberFormatException e) {
            // Falls through: no int64, so outside the range.
        }
        refuse(ErrorCode.TIME_OUT_OF_RANGE, path, Snippet.of(digits) + ": time outside range, check precision");
    }

    private void finish() {
        JsonOptions.Flat flat = options.flat();
        String table = flat == null ? measurement : flat.measurement();
        if (table == null) {
            refuse(ErrorCode.SYNTAX, "", "no measurement is named");
            return;
        }
        if (!fieldSeen) {
            refuse(ErrorCode.NO_FIELDS, "", "there are no fields");
            return;
        }
        if (!isUnicode(table, "measurement")) {
            return;
        }
        TableNames names = tenant.table(table);
        RowFault unfit = names.fault();
        if (unfit != null) {
            refuse(unfit.code(), "measurement", unfit.message());
            return;
        }
        for (int i = 0; i < row.count; i++) {
            row.texts[i] = text;
            row.names[i] = name(names, fieldKeys.get(i));
        }
        Collections.sort(tags);
        Name[] tagNames = new Name[tags.size()];
        for (int i = 0; i < tagNames.length; i++) {
            tagNames[i] = name(names, tags.get(i).key());
        }
        byte[] canonical = CanonicalTags.of(tags);
        if (canonical.length > SeriesText.TAGS_BYTES_MAX) {
            refuse(ErrorCode.LIMIT_ROW, "tags", "the tags take more than " + SeriesText.TAGS_BYTES_MAX + " bytes");
        }
        row.series = new SeriesHandle(new byte[0], 0, names, canonical, tagNames);
    }

    private Name name(TableNames table, String key) {
        Name name = table.name(key);
        RowFault unfit = name.fault();
        if (unfit != null) {
            refuse(unfit.code(), key, unfit.message());
        }
        isUnicode(key, key);
        return name;
    }

    private int add(String key, FieldType type, long bits) {
        int index = row.add();
        fieldKeys.add(key);
        row.types[index] = type.code();
        row.bits[index] = bits;
        return index;
    }

    /** False, with a fault, where a text holds half a surrogate pair, which no UTF-8 can say. */
    private boolean isUnicode(String value, String path) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (!Character.isSurrogate(c)) {
                continue;
            }
            if (Character.isHighSurrogate(c)
                    && i + 1 < value.length()
                    && Character.isLowSurrogate(value.charAt(i + 1))) {
                i++;
                continue;
            }
            refuse(ErrorCode.INVALID_UTF8, path, "the text holds half a surrogate pair");
            return false;
        }
        return true;
    }

    /** Keeps the first fault of an object. */
    private void refuse(ErrorCode code, String path, String message) {
        if (fault == null) {
            fault = new RowFault(code, path.isEmpty() ? message : Snippet.of(path) + ": " + message);
        }
    }
}
