package dev.weir.ops.bench;

import java.util.Arrays;

/** Bytes that grow; numbers as decimal text without garbage. */
final class ByteBuilder {
    private static final int DIGITS_MAX = 20;

    private byte[] bytes;
    private int size;

    ByteBuilder(int capacity) {
        bytes = new byte[Math.max(capacity, 64)];
    }

    void append(byte[] more) {
        reserve(more.length);
        System.arraycopy(more, 0, bytes, size, more.length);
        size += more.length;
    }

    void append(char ascii) {
        reserve(1);
        bytes[size++] = (byte) ascii;
    }

    /** @param value not negative */
    void append(long value) {
        reserve(DIGITS_MAX);
        int digits = 1;
        for (long rest = value / 10; rest > 0; rest /= 10) {
            digits++;
        }
        long rest = value;
        for (int at = size + digits - 1; at >= size; at--) {
            bytes[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        size += digits;
    }

    void appendHundredths(long hundredths) {
        append(hundredths / 100);
        append('.');
        append((char) ('0' + hundredths / 10 % 10));
        append((char) ('0' + hundredths % 10));
    }

    byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }

    private void reserve(int more) {
        if (size + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }
}
