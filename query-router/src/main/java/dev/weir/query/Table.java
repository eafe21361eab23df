package dev.weir.query;

import dev.weir.partition.model.Cursor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An answer: columns, rows, and the cut that it shows. Values are Long (a time, an integer), BigInteger, Double, Boolean, String or null.
 *
 * @param cut every event before it is reflected, none from it on
 */
record Table(List<ColumnHead> columns, List<@Nullable Object[]> rows, Cursor cut) {
    /** Name and SQL type of a column. */
    record ColumnHead(String name, String type) {
        static final String TIMESTAMP = "TIMESTAMP_NS";
        static final String INTEGER = "BIGINT";
        static final String UNSIGNED = "UBIGINT";
        static final String REAL = "DOUBLE";
        static final String TEXT = "VARCHAR";

        boolean canPass2To53() {
            return type.equals(INTEGER) || type.equals(UNSIGNED);
        }
    }
}
