package dev.weir.cdc;

import dev.weir.partition.feed.FieldColumn;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;

/** The fields of a batch's rows as JSON objects, as written, in the order of column ids. Names are turned into bytes once. */
final class FieldsJson {
    private final List<FieldColumn> columns;
    private final byte[][] names;
    private final boolean quoted;

    /** @param quoted integers are written as strings */
    FieldsJson(List<FieldColumn> columns, boolean quoted) {
        this.columns = columns;
        this.quoted = quoted;
        this.names = new byte[columns.size()][];
        JsonBytes name = new JsonBytes(64);
        for (int i = 0; i < names.length; i++) {
            name.clear();
            name.string(columns.get(i).name());
            name.put(':');
            names[i] = name.copy();
        }
    }

    void put(JsonBytes out, int row) {
        out.put('{');
        boolean first = true;
        for (int i = 0; i < names.length; i++) {
            FieldColumn column = columns.get(i);
            if (!column.present(row)) {
                continue;
            }
            if (!first) {
                out.put(',');
            }
            first = false;
            out.put(names[i]);
            switch (column.type()) {
                case FLOAT64 -> out.real(column.doubleAt(row));
                case INT64 -> out.number(column.longAt(row), quoted);
                case UINT64 -> out.unsigned(column.longAt(row), quoted);
                case BOOL -> out.bool(column.boolAt(row));
                case STRING -> out.string(column.stringAt(row));
            }
        }
        out.put('}');
    }

    /** The fields of one event, as {@link dev.weir.partition.model.ChangeEvent#fields} has them. */
    static void put(JsonBytes out, Map<String, Object> fields) {
        char before = '{';
        for (Map.Entry<String, Object> field : fields.entrySet()) {
            out.put(before);
            before = ',';
            out.string(field.getKey());
            out.put(':');
            switch (field.getValue()) {
                case Double value -> out.real(value);
                case Long value -> out.number(value);
                case BigInteger value -> out.unsigned(value.longValue(), false);
                case Boolean value -> out.bool(value);
                case String value -> out.string(value);
                case Object other ->
                    throw new IllegalArgumentException(
                            "field " + field.getKey() + ": expected a number, boolean or string, found "
                                    + other.getClass().getName());
            }
        }
        if (before == '{') {
            out.put('{');
        }
        out.put('}');
    }
}
