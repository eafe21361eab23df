package dev.weir.query.sql.gate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;

/**
 * One SELECT, parsed.
 *
 * @param text as the user wrote it
 * @param statement DuckDB's tree: {@code {"node": …, "named_param_map": …}}; changed in place by rewriting
 */
public record SelectTree(String text, ObjectNode statement) {
    public ObjectNode query() {
        return (ObjectNode) statement.get("node");
    }

    /** The character (from 1) at a byte of the text; 0 where that is unknown. */
    public int position(int location) {
        return position(text, location);
    }

    static int position(String text, int location) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (location < 0 || location > bytes.length) {
            return 0;
        }
        return new String(bytes, 0, location, StandardCharsets.UTF_8).length() + 1;
    }
}
