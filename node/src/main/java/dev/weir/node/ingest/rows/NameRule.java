package dev.weir.node.ingest.rows;

import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.TableSchema;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What tables and columns may be called: anything of 1 to 255 bytes of UTF-8 without control characters, case-sensitive. Names that begin with
 * {@code _} are Weir's own, and so is the column {@code time}.
 */
public final class NameRule {
    public static final int BYTES_MAX = 255;

    private NameRule() {}

    /** Null if a table may have that name. */
    public static @Nullable RowFault table(String name) {
        return check("table", name);
    }

    /** Null if users may change that table: all but Weir's own. */
    public static @Nullable RowFault change(String table) {
        return TableSchema.isOwn(table)
                ? new RowFault(
                        ErrorCode.RESERVED_NAME,
                        "table \"" + Snippet.of(table)
                                + "\" is Weir's own, as all whose names begin with _: it can be read, and DELETE takes rows from it")
                : null;
    }

    /** Null if a tag or field may have that name. */
    public static @Nullable RowFault column(String name) {
        if (name.equals("time")) {
            return new RowFault(
                    ErrorCode.RESERVED_NAME,
                    "the name \"time\" is reserved for the point's time: rename the tag or field");
        }
        return check("tag or field", name);
    }

    private static @Nullable RowFault check(String what, String name) {
        if (name.isEmpty()) {
            return new RowFault(ErrorCode.INVALID_NAME, "the name of a " + what + " is empty");
        }
        if (name.charAt(0) == '_') {
            return new RowFault(
                    ErrorCode.RESERVED_NAME,
                    "the name \"" + Snippet.of(name)
                            + "\" is reserved: names that begin with _ are Weir's own; rename the " + what);
        }
        if (name.length() * 3 > BYTES_MAX && name.getBytes(StandardCharsets.UTF_8).length > BYTES_MAX) {
            return new RowFault(
                    ErrorCode.INVALID_NAME,
                    "the name \"" + Snippet.of(name) + "\" is longer than " + BYTES_MAX + " bytes");
        }
        for (int i = 0; i < name.length(); i++) {
            if (Character.isISOControl(name.charAt(i))) {
                return new RowFault(
                        ErrorCode.INVALID_NAME,
                        "the name \"" + Snippet.of(name) + "\" contains a control character (code "
                                + (int) name.charAt(i) + ")");
            }
        }
        return null;
    }
}
