package dev.weir.query.sql.answer;

import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntervalMonthDayNanoVector;
import org.apache.arrow.vector.PeriodDuration;
import org.apache.arrow.vector.TimeMicroVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.types.pojo.ArrowType;

/** Times, dates and intervals: RFC 3339 with nine digits and {@code Z}; ISO 8601 for the rest. */
final class TimeCells {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.nnnnnnnnn'Z'").withZone(ZoneOffset.UTC);

    private TimeCells() {}

    static boolean isTimestamp(FieldVector vector) {
        return vector instanceof TimeStampVector;
    }

    static BigInteger nanos(FieldVector vector, int row) {
        return BigInteger.valueOf(((TimeStampVector) vector).get(row))
                .multiply(BigInteger.valueOf(nanosOfUnit(vector)));
    }

    static String text(FieldVector vector, int row) {
        return switch (vector) {
            case TimeStampVector time -> instant(time.get(row), nanosOfUnit(vector));
            case DateDayVector date -> LocalDate.ofEpochDay(date.get(row)).toString();
            case TimeMicroVector time ->
                LocalTime.ofNanoOfDay(time.get(row) * 1000).toString();
            case IntervalMonthDayNanoVector interval -> interval(interval.getObject(row));
            default -> String.valueOf(vector.getObject(row));
        };
    }

    private static String instant(long value, long nanosOfUnit) {
        long unitsOfSecond = 1_000_000_000L / nanosOfUnit;
        return TIME.format(Instant.ofEpochSecond(
                Math.floorDiv(value, unitsOfSecond), Math.floorMod(value, unitsOfSecond) * nanosOfUnit));
    }

    private static long nanosOfUnit(FieldVector vector) {
        ArrowType.Timestamp type = (ArrowType.Timestamp) vector.getField().getType();
        return switch (type.getUnit()) {
            case SECOND -> 1_000_000_000L;
            case MILLISECOND -> 1_000_000L;
            case MICROSECOND -> 1_000L;
            case NANOSECOND -> 1L;
        };
    }

    private static String interval(PeriodDuration value) {
        if (value.getDuration().isZero()) {
            return value.getPeriod().toString();
        }
        String period = value.getPeriod().isZero() ? "P" : value.getPeriod().toString();
        return period + value.getDuration().toString().substring(1);
    }
}
