package dev.weir.node.ingest.write;

import dev.weir.node.ingest.rows.Row;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.FieldType;

/**
 * Whether a value fits a column, and as what. The same type always fits; an integer fits float64 up to ±2^53. Numbers without a type of their own
 * (JSON) fit further: an integer any numeric column that holds it, a fraction an int64 column that can still become float64.
 */
final class Typing {
    private static final long EXACT_IN_DOUBLE = 1L << 53;

    /** What {@link #judge} found. */
    enum Fit {
        /** {@link #bits} are to be stored. */
        FITS,
        /** Fits once the column is float64. */
        WIDENS,
        /** Fits once the catalog knows that the column holds values beyond ±2^53. */
        MARKS,
        /** {@link #code} and {@link #why} say why not. */
        CONFLICT
    }

    long bits;
    ErrorCode code = ErrorCode.TYPE_CONFLICT;
    String why = "";

    Fit judge(Column column, Row row, int field, boolean loose) {
        bits = row.bits(field);
        byte sent = row.type(field);
        if (sent == column.type().code()) {
            boolean marks = column.type() == FieldType.INT64 && !column.beyondDouble() && beyondDouble(sent, bits);
            return marks ? Fit.MARKS : Fit.FITS;
        }
        FieldType sentType = FieldType.ofCode(sent);
        return switch (column.type()) {
            case FLOAT64 -> intoFloat(sentType, column);
            case INT64 -> intoInt(sentType, loose, column);
            case UINT64 -> intoUint(sentType, loose, column);
            case BOOL, STRING -> conflict(column, sentType);
        };
    }

    /** Whether this integer has no exact float64. */
    static boolean beyondDouble(byte type, long bits) {
        return type == FieldType.INT64.code()
                ? bits > EXACT_IN_DOUBLE || bits < -EXACT_IN_DOUBLE
                : bits < 0 || bits > EXACT_IN_DOUBLE;
    }

    private Fit intoFloat(FieldType sent, Column column) {
        if (sent != FieldType.INT64 && sent != FieldType.UINT64) {
            return conflict(column, sent);
        }
        if (beyondDouble(sent.code(), bits)) {
            return refuse(
                    ErrorCode.NUMBER_OUT_OF_RANGE,
                    "is float64, and the integer sent lies beyond ±2^53, where float64 has no exact place for it");
        }
        bits = Double.doubleToRawLongBits((double) bits);
        return Fit.FITS;
    }

    private Fit intoInt(FieldType sent, boolean loose, Column column) {
        if (!loose || sent == FieldType.BOOL || sent == FieldType.STRING) {
            return conflict(column, sent);
        }
        if (sent == FieldType.UINT64) {
            return refuse(ErrorCode.NUMBER_OUT_OF_RANGE, "is int64, and the integer sent lies past 2^63-1");
        }
        return column.beyondDouble()
                ? refuse(
                        ErrorCode.TYPE_CONFLICT,
                        "is int64, float64 was sent, and the column can't become float64 since it holds integers beyond ±2^53")
                : Fit.WIDENS;
    }

    private Fit intoUint(FieldType sent, boolean loose, Column column) {
        if (!loose || sent != FieldType.INT64) {
            return conflict(column, sent);
        }
        return bits >= 0
                ? Fit.FITS
                : refuse(ErrorCode.NUMBER_OUT_OF_RANGE, "is uint64, and the integer sent is negative");
    }

    private Fit conflict(Column column, FieldType sent) {
        return refuse(ErrorCode.TYPE_CONFLICT, "is " + column.type().wireName() + ", " + sent.wireName() + " was sent");
    }

    private Fit refuse(ErrorCode refusal, String reason) {
        code = refusal;
        why = reason;
        return Fit.CONFLICT;
    }
}
