package dev.weir.node.ingest.rows;

import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.FieldType;
import java.nio.charset.StandardCharsets;

/**
 * Reads one number of line protocol: {@code 1}, {@code -1.5e3} (float64), {@code 7i} (int64), {@code 7u} (uint64). Reused; holds what it read
 * last. Floats are exact: by double arithmetic where digits and exponent are small enough for it to be so, else by the JDK.
 */
final class NumberReader {
    private static final double[] POWERS = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22
    };
    private static final long EXACT_MAX = 1L << 53;
    private static final int DIGITS_SAFE = 18;

    /** Of the number: its type, and the bits as the row has them. */
    byte type;

    long bits;

    /** Why there is none. */
    ErrorCode fault = ErrorCode.SYNTAX;

    String why = "";

    /** The place after the number, or -1 with {@link #fault} and {@link #why}. */
    int read(byte[] b, int from, int end) {
        int p = from;
        boolean negative = b[p] == '-';
        if (negative || b[p] == '+') {
            p++;
        }
        int firstDigit = p;
        long value = 0;
        for (int d; p < end && (d = b[p] - '0') >= 0 && d <= 9; p++) {
            value = value * 10 + d;
        }
        int digits = p - firstDigit;
        if (p < end && digits > 0) {
            if (b[p] == 'i') {
                return signed(b, from, firstDigit, p, negative, value);
            }
            if (b[p] == 'u') {
                return unsigned(b, from, firstDigit, p, value);
            }
        }
        return decimal(b, from, p, end, digits, value, negative);
    }

    private int signed(byte[] b, int from, int firstDigit, int p, boolean negative, long value) {
        type = FieldType.INT64.code();
        if (p - firstDigit <= DIGITS_SAFE) {
            bits = negative ? -value : value;
            return p + 1;
        }
        try {
            bits = Long.parseLong(text(b, from, p));
            return p + 1;
        } catch (NumberFormatException e) {
            return refuse(
                    ErrorCode.NUMBER_OUT_OF_RANGE,
                    "lies outside int64, " + Long.MIN_VALUE + " to " + Long.MAX_VALUE
                            + "; the suffix u writes uint64, 0 to 18446744073709551615");
        }
    }

    private int unsigned(byte[] b, int from, int firstDigit, int p, long value) {
        type = FieldType.UINT64.code();
        if (b[from] == '-') {
            return refuse(ErrorCode.NUMBER_OUT_OF_RANGE, "lies outside uint64, 0 to 18446744073709551615");
        }
        if (p - firstDigit <= DIGITS_SAFE) {
            bits = value;
            return p + 1;
        }
        try {
            bits = Long.parseUnsignedLong(text(b, firstDigit, p));
            return p + 1;
        } catch (NumberFormatException e) {
            return refuse(ErrorCode.NUMBER_OUT_OF_RANGE, "lies outside uint64, 0 to 18446744073709551615");
        }
    }

    private int decimal(byte[] b, int from, int at, int end, int wholeDigits, long wholeValue, boolean negative) {
        int p = at;
        long value = wholeValue;
        int digits = wholeDigits;
        int scale = 0;
        if (p < end && b[p] == '.') {
            int firstFraction = ++p;
            for (int d; p < end && (d = b[p] - '0') >= 0 && d <= 9; p++) {
                value = value * 10 + d;
            }
            scale = firstFraction - p;
            digits += p - firstFraction;
        }
        if (digits == 0) {
            return refuse(ErrorCode.SYNTAX, "is not a number");
        }
        if (p < end && (b[p] == 'e' || b[p] == 'E')) {
            int firstDigit = p + 1;
            boolean down = firstDigit < end && b[firstDigit] == '-';
            if (down || (firstDigit < end && b[firstDigit] == '+')) {
                firstDigit++;
            }
            int exponent = 0;
            p = firstDigit;
            for (int d; p < end && (d = b[p] - '0') >= 0 && d <= 9; p++) {
                exponent = Math.min(exponent * 10 + d, 100_000);
            }
            if (p == firstDigit) {
                return refuse(ErrorCode.SYNTAX, "has an exponent without digits");
            }
            scale += down ? -exponent : exponent;
        }
        type = FieldType.FLOAT64.code();
        boolean exact = digits <= DIGITS_SAFE && value <= EXACT_MAX && scale >= -22 && scale <= 22;
        double number = exact ? scaled(value, scale, negative) : Double.parseDouble(text(b, from, p));
        if (Double.isInfinite(number)) {
            return refuse(ErrorCode.NUMBER_OUT_OF_RANGE, "lies outside float64, ±1.7976931348623157e308");
        }
        bits = Double.doubleToRawLongBits(number);
        return p;
    }

    private static double scaled(long value, int scale, boolean negative) {
        double magnitude = scale < 0 ? value / POWERS[-scale] : value * POWERS[scale];
        return negative ? -magnitude : magnitude;
    }

    private static String text(byte[] b, int from, int end) {
        return new String(b, from, end - from, StandardCharsets.ISO_8859_1);
    }

    private int refuse(ErrorCode code, String reason) {
        fault = code;
        why = reason;
        return -1;
    }
}
