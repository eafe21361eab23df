package dev.weir.node.ingest.rows;

import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.FieldType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Splits a body of line protocol into lines, and a line into series, fields and time, without allocating:
 *
 * <pre>
 * line   = [space] ( '#' … | series space fields [space time] [space] ) ( LF | CR LF | end )
 * series = measurement { ',' key '=' value }            here only its end is found; see {@link SeriesText}
 * fields = key '=' value { ',' key '=' value }
 * value  = float | int 'i' | uint 'u' | boolean | '"' text '"'       text may hold line feeds
 * </pre>
 *
 * <p>A faulty line costs itself alone: reading goes on after its line feed, and a quoted text that ends well is skipped as a whole, so that its
 * lines are never taken for rows. Used by one thread.
 */
final class LineParser {
    private static final int NO_PLACE = -1;

    private final byte[] body;
    private final int end;
    private final long nanosPerUnit;
    private final Precision precision;
    private final Row row;
    private final NumberReader number = new NumberReader();

    private int next;
    private int nextLine = 1;
    private int lineFeedsInside;

    /** Of the line read last. */
    private int line;

    private int start;
    private int stop;
    private int seriesEnd;
    private @Nullable LineFault fault;

    /** Raw keys by their place in the line; kept from line to line, since the next one mostly has the same. */
    private int[] keyStart = new int[16];

    private int[] keyEnd = new int[16];
    /** Changes when the key in that place changes. */
    private int[] keyStamp = new int[16];

    private boolean[] textEscaped = new boolean[16];
    private int keysKnown;
    private int stamps;

    LineParser(byte[] body, int from, int end, Precision precision, Row row) {
        this.body = body;
        this.next = from;
        this.end = end;
        this.precision = precision;
        this.nanosPerUnit = precision.nanos();
        this.row = row;
    }

    /** Reads the next line that is not blank or a comment; false at the end. Afterwards {@link #fault} is null or says why it is no row. */
    boolean next() {
        int p = next;
        while (true) {
            while (p < end && (body[p] == ' ' || body[p] == '\t')) {
                p++;
            }
            if (p >= end) {
                next = end;
                return false;
            }
            if (body[p] == '#') {
                p = ByteScan.indexOf(body, '\n', p, end);
            } else if (!endsLine(p)) {
                break;
            }
            p = Math.min(end, ByteScan.indexOf(body, '\n', p, end) + 1);
            nextLine++;
        }
        start = p;
        line = nextLine;
        lineFeedsInside = 0;
        fault = null;
        row.count = 0;
        int after = parse(p);
        if (after == NO_PLACE) {
            after = skip(java.util.Objects.requireNonNull(fault).at());
        }
        stop = after > start && after <= end && body[after - 1] == '\n' ? after - 1 : after;
        next = after;
        nextLine = line + lineFeedsInside + 1;
        return true;
    }

    /** Goes to a line that was read before. */
    void seek(int at, int lineNumber) {
        next = at;
        nextLine = lineNumber;
    }

    /** Number of the line on which the row begins, from 1. */
    int line() {
        return line;
    }

    int start() {
        return start;
    }

    /** Where the row ends, without its line feed. */
    int stop() {
        return stop;
    }

    int seriesEnd() {
        return seriesEnd;
    }

    @Nullable
    LineFault fault() {
        return fault;
    }

    int keyStart(int field) {
        return keyStart[field];
    }

    int keyEnd(int field) {
        return keyEnd[field];
    }

    /** Equal stamps of one place mean equal bytes of the key. */
    int keyStamp(int field) {
        return keyStamp[field];
    }

    /** Whether the text has escapes to take out. */
    boolean textEscaped(int field) {
        return textEscaped[field];
    }

    private int parse(int from) {
        int p = seriesStop(from);
        if (p >= end || body[p] == '\n') {
            return refuse(
                    ErrorCode.NO_FIELDS,
                    trimmed(from, p),
                    "no fields: expected a space after measurement and tags, then name=value");
        }
        seriesEnd = p;
        p = spaces(p);
        if (endsLine(p)) {
            return refuse(ErrorCode.NO_FIELDS, p, "no fields: expected name=value after the space");
        }
        while (true) {
            p = field(p);
            if (p == NO_PLACE) {
                return NO_PLACE;
            }
            if (p < end && body[p] == ',') {
                p++;
                continue;
            }
            if (p < end && body[p] == ' ') {
                p = spaces(p);
                if (!endsLine(p)) {
                    return time(p);
                }
            }
            row.timed = false;
            return finish(p);
        }
    }

    private int seriesStop(int from) {
        int p = ByteScan.spaceLineBackslash(body, from, end);
        while (p < end && (body[p] == '\\' || (body[p] == ' ' && !Escapes.delimits(body, from, p)))) {
            p = ByteScan.spaceLineBackslash(body, p + 1, end);
        }
        return p;
    }

    private int field(int from) {
        int index = row.add();
        if (index == keyStart.length) {
            grow();
        }
        int equals = index < keysKnown ? repeatedKey(index, from) : NO_PLACE;
        if (equals == NO_PLACE) {
            equals = key(from);
            if (equals == NO_PLACE) {
                return NO_PLACE;
            }
            keyStamp[index] = ++stamps;
            keysKnown = Math.max(keysKnown, index + 1);
        }
        keyStart[index] = from;
        keyEnd[index] = equals;
        return value(index, equals + 1);
    }

    /** The place of = if the key of this place in an earlier line stands here again. */
    private int repeatedKey(int index, int from) {
        int length = keyEnd[index] - keyStart[index];
        int equals = from + length;
        if (equals < end && body[equals] == '=' && ByteScan.same(body, keyStart[index], from, length, end)) {
            return equals;
        }
        return NO_PLACE;
    }

    private int key(int from) {
        for (int p = from; p < end; p++) {
            switch (body[p]) {
                case '=' -> {
                    if (Escapes.delimits(body, from, p)) {
                        return p > from ? p : refuse(ErrorCode.INVALID_NAME, p, "the field's name before = is empty");
                    }
                }
                case ' ', ',' -> {
                    if (Escapes.delimits(body, from, p)) {
                        return noEquals(from, p);
                    }
                }
                case '\n' -> {
                    return noEquals(from, p);
                }
                default -> {}
            }
        }
        return noEquals(from, end);
    }

    private int noEquals(int from, int p) {
        int at = trimmed(from, p);
        if (at == from) {
            return refuse(ErrorCode.SYNTAX, from, "expected a field, name=value");
        }
        String token = Snippet.ofToken(body, from, at);
        boolean first = row.count == 1;
        String hint = first && from > seriesEnd
                ? "; a space in a tag value or measurement needs a backslash, as in "
                        + Snippet.ofToken(body, Math.max(start, seriesEnd - 20), seriesEnd) + "\\ " + token
                : "; a comma or space in a field value needs double quotes around the value";
        return refuse(ErrorCode.SYNTAX, from, "field \"" + token + "\" has no =" + hint);
    }

    private int value(int index, int from) {
        if (from < end) {
            byte c = body[from];
            if (c == '"') {
                return text(index, from);
            }
            boolean sign = c == '-' || c == '+';
            byte d = sign && from + 1 < end ? body[from + 1] : c;
            if ((d >= '0' && d <= '9') || d == '.') {
                int p = number.read(body, from, end);
                if (p != -1 && endsValue(p)) {
                    row.types[index] = number.type;
                    row.bits[index] = number.bits;
                    return p;
                }
                return badNumber(index, from, p);
            }
        }
        return word(index, from);
    }

    private int badNumber(int index, int from, int after) {
        String token = Snippet.ofToken(body, from, tokenEnd(from));
        return after == -1
                ? refuse(number.fault, from, valueOf(index) + " " + token + " " + number.why)
                : refuse(
                        ErrorCode.SYNTAX,
                        from,
                        valueOf(index) + " " + token + " is not a number; text needs double quotes");
    }

    private int word(int index, int from) {
        int p = tokenEnd(from);
        int length = p - from;
        if (length == 0) {
            return refuse(ErrorCode.SYNTAX, from, valueOf(index) + " is missing after =");
        }
        int truth = Words.truth(body, from, length);
        if (truth >= 0) {
            row.types[index] = FieldType.BOOL.code();
            row.bits[index] = truth;
            return p;
        }
        if (Words.notANumber(body, from, length)) {
            row.types[index] = Row.NOT_A_NUMBER;
            return p;
        }
        String token = Snippet.ofToken(body, from, p);
        return refuse(
                ErrorCode.SYNTAX,
                from,
                valueOf(index) + " " + token
                        + " is neither number, boolean nor quoted text; text needs double quotes: \"" + token + "\"");
    }

    private int text(int index, int quote) {
        int p = ByteScan.quoteBackslash(body, quote + 1, end);
        boolean escaped = false;
        while (p < end && body[p] == '\\') {
            boolean escape = p + 1 < end && (body[p + 1] == '"' || body[p + 1] == '\\');
            escaped |= escape;
            p = ByteScan.quoteBackslash(body, Math.min(end, p + (escape ? 2 : 1)), end);
        }
        if (p >= end) {
            return refuse(ErrorCode.SYNTAX, quote, "the double quote of " + valueOf(index) + " is never closed");
        }
        if (!endsValue(p + 1)) {
            return refuse(
                    ErrorCode.SYNTAX,
                    quote,
                    "the double quote of " + valueOf(index)
                            + " is closed in the middle of the text; a double quote inside needs a backslash");
        }
        row.types[index] = FieldType.STRING.code();
        row.texts[index] = body;
        row.textFrom[index] = quote + 1;
        row.textLength[index] = p - quote - 1;
        textEscaped[index] = escaped;
        lineFeedsInside += ByteScan.count(body, '\n', quote + 1, p);
        return p + 1;
    }

    private int time(int from) {
        int p = from;
        boolean negative = body[p] == '-';
        if (negative || body[p] == '+') {
            p++;
        }
        int firstDigit = p;
        long count = 0;
        boolean overflow = false;
        for (int d; p < end && (d = body[p] - '0') >= 0 && d <= 9; p++) {
            overflow |= count > (Long.MAX_VALUE - 9) / 10 && (count > Long.MAX_VALUE / 10 || d > 7);
            count = count * 10 + d;
        }
        if (p == firstDigit || (p < end && body[p] != ' ' && !endsLine(p))) {
            return refuse(
                    ErrorCode.SYNTAX,
                    from,
                    "timestamp " + Snippet.ofToken(body, from, tokenEnd(from))
                            + " is not an integer; a space in a field value needs double quotes, in a name a backslash");
        }
        if (negative) {
            count = -count;
        }
        if (overflow || !precision.covers(count)) {
            return refuse(
                    ErrorCode.TIME_OUT_OF_RANGE,
                    from,
                    "timestamp " + Snippet.ofToken(body, from, p) + ": time outside range, check precision");
        }
        row.timed = true;
        row.timestampNanos = count * nanosPerUnit;
        p = spaces(p);
        return endsLine(p)
                ? finish(p)
                : refuse(ErrorCode.SYNTAX, p, "expected the end of the line after the timestamp");
    }

    /** The place after the line feed of a line that ends at {@code p}. */
    private int finish(int p) {
        return p >= end ? end : Math.min(end, body[p] == '\r' ? p + 2 : p + 1);
    }

    /** The place after the line feed of a faulty line: skips quoted texts after the fault that end well. */
    private int skip(int from) {
        int p = Math.max(from, start);
        boolean faultIsQuote = p < end && body[p] == '"';
        p = faultIsQuote ? p + 1 : p;
        while (p < end && body[p] != '\n') {
            if (body[p] == '"' && p > start && body[p - 1] == '=') {
                int close = closingQuote(p);
                if (close < end && endsValue(close + 1)) {
                    lineFeedsInside += ByteScan.count(body, '\n', p, close);
                    p = close;
                }
            }
            p++;
        }
        return Math.min(end, p + 1);
    }

    private int closingQuote(int quote) {
        int p = ByteScan.quoteBackslash(body, quote + 1, end);
        while (p < end && body[p] == '\\') {
            p = ByteScan.quoteBackslash(body, Math.min(end, p + 2), end);
        }
        return p;
    }

    private boolean endsLine(int p) {
        return p >= end || body[p] == '\n' || (body[p] == '\r' && (p + 1 >= end || body[p + 1] == '\n'));
    }

    private boolean endsValue(int p) {
        return p >= end || body[p] == ',' || body[p] == ' ' || endsLine(p);
    }

    private int tokenEnd(int from) {
        int p = from;
        while (!endsValue(p)) {
            p++;
        }
        return p;
    }

    private int spaces(int from) {
        int p = from;
        while (p < end && body[p] == ' ') {
            p++;
        }
        return p;
    }

    /** The end of the line's text: without the carriage return before its line feed. */
    private int trimmed(int from, int p) {
        return p > from && body[p - 1] == '\r' ? p - 1 : p;
    }

    private String valueOf(int index) {
        return "the value of field \"" + Snippet.ofToken(body, keyStart[index], keyEnd[index]) + "\"";
    }

    private int refuse(ErrorCode code, int at, String text) {
        fault = new LineFault(code, at, text);
        return NO_PLACE;
    }

    private void grow() {
        int size = keyStart.length * 2;
        keyStart = Arrays.copyOf(keyStart, size);
        keyEnd = Arrays.copyOf(keyEnd, size);
        keyStamp = Arrays.copyOf(keyStamp, size);
        textEscaped = Arrays.copyOf(textEscaped, size);
    }
}
