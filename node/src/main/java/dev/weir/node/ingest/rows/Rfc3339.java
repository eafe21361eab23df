package dev.weir.node.ingest.rows;

import java.time.DateTimeException;
import java.time.LocalDate;

/**
 * Reads times as RFC 3339 writes them, exact to the nanosecond: {@code 2024-01-01T00:00:00.500000007+05:30}. {@code t}, {@code z} and a space for T
 * are taken too. A zone is required; leap seconds are refused, since UTC nanoseconds have no place for them.
 */
final class Rfc3339 {
    private static final int FRACTION_DIGITS_MAX = 9;

    private final String text;
    private int at;

    /** Why a text is no time. */
    static final class NoTimeException extends Exception {
        private static final long serialVersionUID = 1L;

        NoTimeException(String message) {
            super(message, null, false, false);
        }
    }

    private Rfc3339(String text) {
        this.text = text;
    }

    /** Nanoseconds since 1970. */
    static long nanos(String text) throws NoTimeException {
        return new Rfc3339(text).read();
    }

    private long read() throws NoTimeException {
        int year = number(4);
        expect('-');
        int month = number(2);
        expect('-');
        int day = number(2);
        if (at == text.length() || "Tt ".indexOf(text.charAt(at)) < 0) {
            throw bad("expected T after the date");
        }
        at++;
        int hour = number(2);
        expect(':');
        int minute = number(2);
        expect(':');
        int second = number(2);
        long fraction = fraction();
        int offsetMinutes = offset();
        if (at < text.length()) {
            throw bad("expected nothing after the zone");
        }
        if (second == 60) {
            throw bad("leap second :60 can't be stored, send :59 or the next second");
        }
        if (hour > 23 || minute > 59 || second > 59) {
            throw bad("there is no such time of day");
        }
        return scaled(epochDay(year, month, day), (hour * 60 + minute - offsetMinutes) * 60L + second, fraction);
    }

    private long scaled(long day, long secondOfDay, long fraction) throws NoTimeException {
        try {
            long seconds = day * 86_400 + secondOfDay;
            long nanos = seconds >= 0
                    ? Math.addExact(Math.multiplyExact(seconds, 1_000_000_000L), fraction)
                    : Math.addExact(Math.multiplyExact(seconds + 1, 1_000_000_000L), fraction - 1_000_000_000L);
            if (nanos >= Precision.TIME_MIN_NANOS && nanos <= Precision.TIME_MAX_NANOS) {
                return nanos;
            }
        } catch (ArithmeticException e) {
            // Falls through: outside the range.
        }
        throw bad("time outside range, 1677-09-21 to 2262-04-11");
    }

    private long epochDay(int year, int month, int day) throws NoTimeException {
        try {
            return LocalDate.of(year, month, day).toEpochDay();
        } catch (DateTimeException e) {
            throw bad("there is no such day");
        }
    }

    private long fraction() throws NoTimeException {
        if (at == text.length() || text.charAt(at) != '.') {
            return 0;
        }
        int from = ++at;
        long nanos = 0;
        for (int digit; at < text.length() && (digit = text.charAt(at) - '0') >= 0 && digit <= 9; at++) {
            if (at - from < FRACTION_DIGITS_MAX) {
                nanos = nanos * 10 + digit;
            } else if (digit != 0) {
                throw bad("more than nine digits after the second");
            }
        }
        if (at == from) {
            throw bad("expected digits after the point");
        }
        for (int i = at - from; i < FRACTION_DIGITS_MAX; i++) {
            nanos *= 10;
        }
        return nanos;
    }

    private int offset() throws NoTimeException {
        if (at == text.length()) {
            throw bad("the time has no zone, add Z or an offset such as +01:00");
        }
        char sign = text.charAt(at++);
        if (sign == 'Z' || sign == 'z') {
            return 0;
        }
        if (sign != '+' && sign != '-') {
            throw bad("expected Z or an offset such as +01:00 after the time");
        }
        int hours = number(2);
        expect(':');
        int minutes = number(2);
        if (hours > 23 || minutes > 59) {
            throw bad("there is no such offset");
        }
        return (sign == '-' ? -1 : 1) * (hours * 60 + minutes);
    }

    private int number(int digits) throws NoTimeException {
        int value = 0;
        for (int i = 0; i < digits; i++, at++) {
            int digit = at < text.length() ? text.charAt(at) - '0' : -1;
            if (digit < 0 || digit > 9) {
                throw bad("expected a digit at character " + (at + 1));
            }
            value = value * 10 + digit;
        }
        return value;
    }

    private void expect(char wanted) throws NoTimeException {
        if (at == text.length() || text.charAt(at) != wanted) {
            throw bad("expected " + wanted + " at character " + (at + 1));
        }
        at++;
    }

    private NoTimeException bad(String why) {
        return new NoTimeException("\"" + Snippet.of(text) + "\" is no RFC 3339 time: " + why);
    }
}
