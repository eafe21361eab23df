package dev.weir.cdc;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing array of bytes that JSON is written to, without objects in between. Not thread-safe. */
final class JsonBytes {
    private static final byte[] HEX = ascii("0123456789abcdef");
    private static final byte[] NULL = ascii("null");
    private static final byte[] TRUE = ascii("true");
    private static final byte[] FALSE = ascii("false");
    private static final byte[] MIN_LONG = ascii("-9223372036854775808");
    /** Up to here a double without a fraction is written by way of a long, as {@link Double#toString} would. */
    private static final double PLAIN_MAX = 1e7;

    private byte[] bytes;
    private int length;

    JsonBytes(int capacity) {
        bytes = new byte[Math.max(64, capacity)];
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    int length() {
        return length;
    }

    /** The array itself, valid up to {@link #length()}. */
    byte[] array() {
        return bytes;
    }

    byte[] copy() {
        return Arrays.copyOf(bytes, length);
    }

    void clear() {
        length = 0;
    }

    void put(byte[] more) {
        ensure(more.length);
        System.arraycopy(more, 0, bytes, length, more.length);
        length += more.length;
    }

    void put(byte[] from, int at, int count) {
        ensure(count);
        System.arraycopy(from, at, bytes, length, count);
        length += count;
    }

    void put(char ascii) {
        ensure(1);
        bytes[length++] = (byte) ascii;
    }

    void nothing() {
        put(NULL);
    }

    void bool(boolean value) {
        put(value ? TRUE : FALSE);
    }

    void number(long value, boolean quoted) {
        if (quoted) {
            put('"');
            number(value);
            put('"');
        } else {
            number(value);
        }
    }

    void number(long value) {
        if (value == Long.MIN_VALUE) {
            put(MIN_LONG);
            return;
        }
        ensure(20);
        long rest = value;
        if (rest < 0) {
            bytes[length++] = '-';
            rest = -rest;
        }
        int end = length + digits(rest);
        int at = end;
        while (rest > Integer.MAX_VALUE) {
            long tenth = rest / 10;
            bytes[--at] = (byte) ('0' + (rest - tenth * 10));
            rest = tenth;
        }
        int small = (int) rest;
        while (small >= 10) {
            int tenth = small / 10;
            bytes[--at] = (byte) ('0' + (small - tenth * 10));
            small = tenth;
        }
        bytes[--at] = (byte) ('0' + small);
        length = end;
    }

    /** The bits as an unsigned number. */
    void unsigned(long bits, boolean quoted) {
        if (bits >= 0) {
            number(bits, quoted);
            return;
        }
        if (quoted) {
            put('"');
        }
        put(ascii(Long.toUnsignedString(bits)));
        if (quoted) {
            put('"');
        }
    }

    /** Shortest text that reads back as the same double; always with a fraction or an exponent. As {@link Double#toString}. */
    void real(double value) {
        if (value > -PLAIN_MAX && value < PLAIN_MAX && short4(value)) {
            return;
        }
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("expected a finite number, found " + value);
        }
        put(ascii(Double.toString(value)));
    }

    /**
     * Writes a number that has at most four decimals, by way of a long. The quotient of two integers below 2^53 is rounded correctly, so it equals
     * the value only where this decimal is what the value reads as; of at most 15 digits, it is the shortest too.
     */
    private boolean short4(double value) {
        long scaled = Math.round(value * 10_000);
        if (scaled / 10_000.0 != value || Math.abs(scaled) < 10) {
            return false;
        }
        ensure(20);
        if (scaled < 0) {
            bytes[length++] = '-';
        }
        long whole = Math.abs(scaled) / 10_000;
        int rest = (int) (Math.abs(scaled) % 10_000);
        number(whole);
        put('.');
        padded(rest, 4);
        while (bytes[length - 1] == '0' && bytes[length - 2] != '.') {
            length--;
        }
        return true;
    }

    void hex(long bits) {
        ensure(16);
        for (int shift = 60; shift >= 0; shift -= 4) {
            bytes[length++] = HEX[(int) (bits >>> shift) & 0xf];
        }
    }

    /** {@code value} with exactly {@code width} digits. */
    void padded(int value, int width) {
        ensure(width);
        int rest = value;
        for (int at = length + width - 1; at >= length; at--) {
            bytes[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        length += width;
    }

    /** A JSON string, quotes included. */
    void string(String text) {
        int count = text.length();
        ensure(count * 6 + 2);
        bytes[length++] = '"';
        for (int i = 0; i < count; i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                ascii(c);
            } else if (c < 0x800) {
                bytes[length++] = (byte) (0xc0 | (c >> 6));
                bytes[length++] = (byte) (0x80 | (c & 0x3f));
            } else if (Character.isHighSurrogate(c) && i + 1 < count && Character.isLowSurrogate(text.charAt(i + 1))) {
                supplementary(Character.toCodePoint(c, text.charAt(++i)));
            } else {
                char known = Character.isSurrogate(c) ? '\ufffd' : c;
                bytes[length++] = (byte) (0xe0 | (known >> 12));
                bytes[length++] = (byte) (0x80 | ((known >> 6) & 0x3f));
                bytes[length++] = (byte) (0x80 | (known & 0x3f));
            }
        }
        bytes[length++] = '"';
    }

    private void ascii(char c) {
        if (c >= 0x20 && c != '"' && c != '\\') {
            bytes[length++] = (byte) c;
            return;
        }
        bytes[length++] = '\\';
        switch (c) {
            case '"', '\\' -> bytes[length++] = (byte) c;
            case '\n' -> bytes[length++] = 'n';
            case '\r' -> bytes[length++] = 'r';
            case '\t' -> bytes[length++] = 't';
            default -> {
                bytes[length++] = 'u';
                bytes[length++] = '0';
                bytes[length++] = '0';
                bytes[length++] = HEX[c >> 4];
                bytes[length++] = HEX[c & 0xf];
            }
        }
    }

    private void supplementary(int codePoint) {
        bytes[length++] = (byte) (0xf0 | (codePoint >> 18));
        bytes[length++] = (byte) (0x80 | ((codePoint >> 12) & 0x3f));
        bytes[length++] = (byte) (0x80 | ((codePoint >> 6) & 0x3f));
        bytes[length++] = (byte) (0x80 | (codePoint & 0x3f));
    }

    private static int digits(long positive) {
        int count = 1;
        for (long limit = 10; count < 19 && positive >= limit; limit *= 10) {
            count++;
        }
        return count;
    }

    private void ensure(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(length + more, bytes.length + (bytes.length >> 1)));
        }
    }
}
