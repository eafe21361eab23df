package dev.weir.node.ingest.rows;

import dev.weir.partition.model.ErrorCode;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The rows of a body of line protocol: lines with series and names looked up, text checked, and faults put into words. */
public final class LineRows implements RowReader {
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    private final byte[] body;
    private final LineOptions options;
    private final TenantNames tenant;
    private final SeriesCache known;
    private final SeriesText seriesText;
    private final Row row = new Row();
    private final LineParser parser;
    private final boolean ascii;

    /** Names found for the keys of the parser's places. */
    private @Nullable Name[] names = new Name[16];

    private int[] stamps = new int[16];
    private @Nullable TableNames namesOf;
    private byte[] unescaped = new byte[0];
    private int unescapedLength;
    private @Nullable RowFault fault;
    private int dropped;

    /**
     * @param body not changed while rows are read
     * @param caches of the node
     */
    public LineRows(byte[] body, int length, LineOptions options, NameCaches caches, String tenant) {
        this.body = body;
        this.options = options;
        this.tenant = caches.tenant(tenant);
        this.known = caches.series();
        this.seriesText = new SeriesText(this.tenant);
        this.ascii = ByteScan.ascii(body, 0, length);
        boolean marked = length >= 3 && Arrays.equals(body, 0, 3, BYTE_ORDER_MARK, 0, 3);
        this.parser = new LineParser(body, marked ? 3 : 0, length, options.precision(), row);
    }

    @Override
    public boolean next() {
        if (!parser.next()) {
            return false;
        }
        fault = resolve();
        return true;
    }

    @Override
    public @Nullable RowFault fault() {
        return fault;
    }

    @Override
    public @Nullable RowFault bodyFault() {
        return null;
    }

    @Override
    public Row row() {
        return row;
    }

    @Override
    public int line() {
        return parser.line();
    }

    @Override
    public int place() {
        return parser.start();
    }

    @Override
    public int stop() {
        return parser.stop();
    }

    @Override
    public @Nullable String measurement() {
        int from = parser.start();
        int to = parser.stop();
        for (int p = from; p < to; p++) {
            if ((body[p] == ',' || body[p] == ' ') && Escapes.delimits(body, from, p)) {
                boolean named = p > from && p - from <= 2 * NameRule.BYTES_MAX && Utf8.firstInvalid(body, from, p) == p;
                return named ? Escapes.measurement(body, from, p) : null;
            }
        }
        return null;
    }

    @Override
    public void seek(int place, int line) {
        parser.seek(place, line);
    }

    @Override
    public String locate(int field, String message) {
        return locateAt(parser.keyStart(field), message);
    }

    @Override
    public String locate(String message) {
        return locateAt(parser.start(), message);
    }

    @Override
    public boolean loose() {
        return false;
    }

    @Override
    public int droppedFields() {
        return dropped;
    }

    private @Nullable RowFault resolve() {
        int start = parser.start();
        int stop = parser.stop();
        if (!ascii) {
            int bad = Utf8.firstInvalid(body, start, stop);
            if (bad < stop) {
                return at(new LineFault(ErrorCode.INVALID_UTF8, bad, "the bytes are not UTF-8"));
            }
        }
        LineFault syntax = parser.fault();
        if (syntax != null) {
            return at(syntax);
        }
        if (stop - start > options.rowBytesMax()) {
            return at(new LineFault(
                    ErrorCode.LIMIT_ROW,
                    start,
                    "the row takes " + (stop - start) + " bytes, at most " + options.rowBytesMax() + " are allowed"));
        }
        SeriesHandle series = series(start, parser.seriesEnd());
        if (series == null) {
            return at(seriesText.fault());
        }
        row.series = series;
        return fields(series.table());
    }

    private @Nullable SeriesHandle series(int from, int stop) {
        long hash = ByteScan.hash(body, from, stop);
        SeriesHandle handle = known.find(tenant, body, from, stop, hash);
        if (handle == null) {
            handle = seriesText.parse(body, from, stop, hash);
            if (handle != null) {
                known.keep(handle);
            }
        }
        return handle;
    }

    private @Nullable RowFault fields(TableNames table) {
        int count = row.count;
        if (names.length < count) {
            names = Arrays.copyOf(names, row.types.length);
            stamps = Arrays.copyOf(stamps, row.types.length);
        }
        if (namesOf != table) {
            Arrays.fill(stamps, 0);
            namesOf = table;
        }
        unescapedLength = 0;
        boolean numbers = true;
        for (int i = 0; i < count; i++) {
            Name name = names[i];
            if (name == null || stamps[i] != parser.keyStamp(i)) {
                name = table.name(body, parser.keyStart(i), parser.keyEnd(i));
                RowFault unfit = name.fault();
                if (unfit != null) {
                    return at(new LineFault(unfit.code(), parser.keyStart(i), unfit.message()));
                }
                names[i] = name;
                stamps[i] = parser.keyStamp(i);
            }
            row.names[i] = name;
            byte type = row.types[i];
            numbers &= type != Row.NOT_A_NUMBER;
            if (type == Row.TEXT && parser.textEscaped(i)) {
                unescape(i);
            }
        }
        return numbers ? null : notNumbers();
    }

    private void unescape(int field) {
        int length = row.textLength[field];
        int from = row.textFrom[field];
        if (unescaped.length - unescapedLength < length) {
            unescaped = new byte[Math.max(256, length * 2)];
            unescapedLength = 0;
        }
        row.texts[field] = unescaped;
        row.textFrom[field] = unescapedLength;
        row.textLength[field] = Escapes.string(body, from, from + length, unescaped, unescapedLength);
        unescapedLength += row.textLength[field];
    }

    private @Nullable RowFault notNumbers() {
        for (int i = row.count - 1; i >= 0; i--) {
            if (row.types[i] != Row.NOT_A_NUMBER) {
                continue;
            }
            if (!options.dropNotANumber()) {
                return at(
                        new LineFault(
                                ErrorCode.NOT_A_NUMBER,
                                parser.keyEnd(i) + 1,
                                "field \""
                                        + Snippet.of(
                                                Objects.requireNonNull(names[i]).text())
                                        + "\" is NaN or infinite, which can't be stored; with nan=drop-field in the request such fields are left out"));
            }
            row.drop(i);
            dropped++;
        }
        return row.count > 0
                ? null
                : at(new LineFault(
                        ErrorCode.NO_FIELDS, parser.start(), "no fields are left without NaN and infinite ones"));
    }

    private RowFault at(LineFault fault) {
        return new RowFault(fault.code(), locateAt(fault.at(), fault.text()));
    }

    private String locateAt(int at, String message) {
        int lineStart = parser.start();
        int line = parser.line();
        for (int p = ByteScan.indexOf(body, '\n', lineStart, at); p < at; p = ByteScan.indexOf(body, '\n', p + 1, at)) {
            lineStart = p + 1;
            line++;
        }
        while (lineStart > 0 && body[lineStart - 1] != '\n') {
            lineStart--;
        }
        int column = 1;
        for (int i = lineStart; i < at; i++) {
            column += (body[i] & 0xc0) != 0x80 ? 1 : 0;
        }
        return "line " + line + ", column " + column + ": " + message + " ["
                + Snippet.ofLine(body, parser.start(), parser.stop()) + "]";
    }
}
