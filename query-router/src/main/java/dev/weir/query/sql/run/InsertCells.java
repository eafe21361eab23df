package dev.weir.query.sql.run;

import dev.weir.partition.model.ErrorCode;
import dev.weir.query.sql.gate.SqlRefusedException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.jspecify.annotations.Nullable;

/** Values of a query as values to write: exact, decimals with a fraction as DOUBLE. */
public final class InsertCells {
    private InsertCells() {}

    static boolean isTime(FieldVector vector) {
        return vector instanceof TimeStampVector || vector instanceof DateDayVector;
    }

    /** @throws SqlRefusedException a type that no column can take */
    static void check(String column, String type, FieldVector vector, boolean isTimeColumn, int position) {
        boolean fits = switch (vector) {
            case TimeStampVector time -> isTimeColumn;
            case DateDayVector date -> isTimeColumn;
            case BaseIntVector integer -> true;
            case VarCharVector text -> true;
            case NullVector none -> true;
            case DecimalVector decimal -> !isTimeColumn || decimal.getScale() == 0;
            case Float8Vector real -> !isTimeColumn;
            case Float4Vector real -> !isTimeColumn;
            case BitVector bool -> !isTimeColumn;
            default -> false;
        };
        if (!fits) {
            throw new SqlRefusedException(
                    ErrorCode.TYPE_CONFLICT,
                    "INSERT: column " + column + ": found " + type + ", expected "
                            + (isTimeColumn
                                    ? "TIMESTAMP, RFC 3339 text or an integer"
                                    : "a number, BOOLEAN or VARCHAR"),
                    position);
        }
    }

    /** Long, BigInteger (beyond int64), Double, Boolean, String or null; a time in ns since 1970. */
    public static @Nullable Object value(FieldVector vector, int row) {
        if (vector.isNull(row)) {
            return null;
        }
        return switch (vector) {
            case VarCharVector text -> new String(text.get(row), StandardCharsets.UTF_8);
            case UInt8Vector unsigned -> integer(new BigInteger(Long.toUnsignedString(unsigned.get(row))));
            case DateDayVector date -> Math.multiplyExact(date.get(row), 86_400_000_000_000L);
            case BaseIntVector integer -> integer.getValueAsLong(row);
            case Float8Vector real -> real.get(row);
            case Float4Vector real -> (double) real.get(row);
            case BitVector bool -> bool.get(row) != 0;
            case DecimalVector decimal -> decimal(decimal.getObject(row));
            case TimeStampVector time -> nanos(time, row);
            default -> throw new IllegalStateException("vector " + vector);
        };
    }

    private static Object decimal(BigDecimal value) {
        return value.scale() == 0 ? integer(value.unscaledValue()) : (Object) value.doubleValue();
    }

    private static Object integer(BigInteger value) {
        return value.bitLength() < Long.SIZE ? (Object) value.longValue() : value;
    }

    private static long nanos(TimeStampVector vector, int row) {
        long unit = switch (((ArrowType.Timestamp) vector.getField().getType()).getUnit()) {
            case SECOND -> 1_000_000_000L;
            case MILLISECOND -> 1_000_000L;
            case MICROSECOND -> 1_000L;
            case NANOSECOND -> 1L;
        };
        try {
            return Math.multiplyExact(vector.get(row), unit);
        } catch (ArithmeticException e) {
            throw SqlRefusedException.nowhere(
                    ErrorCode.TIME_OUT_OF_RANGE, "time: expected 1677 to 2262, found " + vector.getObject(row));
        }
    }
}
