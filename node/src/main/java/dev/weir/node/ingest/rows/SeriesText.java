package dev.weir.node.ingest.rows;

import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Tag;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parses the part of a line before the first space, {@code measurement[,key=value…]}. Runs only for series that are not known. */
final class SeriesText {
    static final int TAGS_BYTES_MAX = 65_535;

    private final TenantNames tenant;
    private @Nullable LineFault fault;

    SeriesText(TenantNames tenant) {
        this.tenant = tenant;
    }

    /** Why there is no handle. */
    LineFault fault() {
        return java.util.Objects.requireNonNull(fault);
    }

    /** The series, or null with {@link #fault}. */
    @Nullable
    SeriesHandle parse(byte[] body, int from, int end, long rawHash) {
        int measurementEnd = delimiter(body, from, end, ',');
        TableNames table = tenant.table(Escapes.measurement(body, from, measurementEnd));
        RowFault named = table.fault();
        if (named != null) {
            return refuse(named.code(), from, named.message());
        }
        List<Tag> tags = new ArrayList<>();
        int p = measurementEnd;
        while (p < end) {
            p = tag(body, p + 1, end, tags);
            if (p < 0) {
                return null;
            }
        }
        Collections.sort(tags);
        Name[] names = new Name[tags.size()];
        for (int i = 0; i < names.length; i++) {
            String key = tags.get(i).key();
            if (i > 0 && key.equals(tags.get(i - 1).key())) {
                return refuse(ErrorCode.SYNTAX, from, "tag \"" + Snippet.of(key) + "\" is given twice");
            }
            names[i] = table.name(key);
            RowFault unfit = names[i].fault();
            if (unfit != null) {
                return refuse(unfit.code(), from, unfit.message());
            }
        }
        byte[] canonical = CanonicalTags.of(tags);
        if (canonical.length > TAGS_BYTES_MAX) {
            return refuse(
                    ErrorCode.LIMIT_ROW,
                    from,
                    "the tags take " + canonical.length + " bytes, at most " + TAGS_BYTES_MAX + " are allowed");
        }
        return new SeriesHandle(Arrays.copyOfRange(body, from, end), rawHash, table, canonical, names);
    }

    /** Reads {@code key=value} and returns where it ends, or -1. A tag without a value is no tag. */
    private int tag(byte[] body, int from, int end, List<Tag> tags) {
        int keyEnd = keyEnd(body, from, end);
        if (keyEnd == end || body[keyEnd] == ',') {
            String token = Snippet.ofToken(body, from, keyEnd);
            return refused(
                    ErrorCode.SYNTAX,
                    from,
                    token.isEmpty()
                            ? "expected a tag after the comma"
                            : "tag \"" + token
                                    + "\" has no =; a comma in a tag value or measurement needs a backslash");
        }
        if (keyEnd == from) {
            return refused(ErrorCode.INVALID_NAME, from, "the tag's name before = is empty");
        }
        int valueEnd = delimiter(body, keyEnd + 1, end, ',');
        int equals = delimiter(body, keyEnd + 1, valueEnd, '=');
        if (equals < valueEnd) {
            boolean swallowed = hasEscapedComma(body, keyEnd + 1, equals);
            return refused(
                    ErrorCode.SYNTAX,
                    equals,
                    swallowed
                            ? "= in the value of tag \"" + Snippet.ofToken(body, from, keyEnd)
                                    + "\": the backslash before , escapes it; to end a value with a backslash write \\\\ before the comma"
                            : "= in the value of tag \"" + Snippet.ofToken(body, from, keyEnd)
                                    + "\" needs a backslash before it");
        }
        if (valueEnd > keyEnd + 1) {
            tags.add(new Tag(Escapes.name(body, from, keyEnd), Escapes.name(body, keyEnd + 1, valueEnd)));
        }
        return valueEnd;
    }

    private static int keyEnd(byte[] body, int from, int end) {
        return Math.min(delimiter(body, from, end, '='), delimiter(body, from, end, ','));
    }

    /** The first {@code wanted} that no backslash escapes, or {@code end}. */
    private static int delimiter(byte[] body, int from, int end, char wanted) {
        int p = ByteScan.indexOf(body, wanted, from, end);
        while (p < end && !Escapes.delimits(body, from, p)) {
            p = ByteScan.indexOf(body, wanted, p + 1, end);
        }
        return p;
    }

    private static boolean hasEscapedComma(byte[] body, int from, int end) {
        int comma = ByteScan.indexOf(body, ',', from, end);
        return comma < end;
    }

    private @Nullable SeriesHandle refuse(ErrorCode code, int at, String text) {
        fault = new LineFault(code, at, text);
        return null;
    }

    private int refused(ErrorCode code, int at, String text) {
        fault = new LineFault(code, at, text);
        return -1;
    }
}
