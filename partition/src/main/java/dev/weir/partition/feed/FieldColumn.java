package dev.weir.partition.feed;

import dev.weir.partition.model.FieldType;
import java.math.BigInteger;

/** One field's values over the rows of a batch, typed as written. Getters are for rows where {@link #present} holds. */
public interface FieldColumn {
    int columnId();

    String name();

    FieldType type();

    boolean present(int row);

    double doubleAt(int row);

    /** Of INT64, and of UINT64 as the bits of an unsigned number. */
    long longAt(int row);

    boolean boolAt(int row);

    String stringAt(int row);

    /** As {@link dev.weir.partition.model.ChangeEvent#fields} has it. */
    default Object value(int row) {
        return switch (type()) {
            case FLOAT64 -> doubleAt(row);
            case INT64 -> longAt(row);
            case UINT64 -> new BigInteger(Long.toUnsignedString(longAt(row)));
            case BOOL -> boolAt(row);
            case STRING -> stringAt(row);
        };
    }
}
