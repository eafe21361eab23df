package dev.weir.partition.entry;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Numbers of equal width in bits, the first in the lowest bits, in little-endian order of bytes; the last byte is filled up with zeros. */
final class BitPacking {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    /** The widest number that one load of 8 bytes holds at any bit of the first byte. */
    private static final int ONE_LOAD_BITS = 57;

    private BitPacking() {}

    /** Bits that an unsigned number takes. */
    static int width(long unsigned) {
        return 64 - Long.numberOfLeadingZeros(unsigned);
    }

    static int bytes(int count, int width) {
        return (int) (((long) count * width + 7) >>> 3);
    }

    /** Packs {@code values[from..to) - base}, each of which fits in {@code width} bits. */
    static void pack(ByteWriter out, long[] values, int from, int to, long base, int width) {
        if (width == 0) {
            return;
        }
        int at = out.claim(bytes(to - from, width));
        byte[] bytes = out.array();
        long word = 0;
        int fill = 0;
        for (int i = from; i < to; i++) {
            long value = values[i] - base;
            word |= value << fill;
            fill += width;
            if (fill >= 64) {
                LONG.set(bytes, at, word);
                at += 8;
                fill -= 64;
                word = fill == 0 ? 0 : value >>> (width - fill);
            }
        }
        for (; fill > 0; fill -= 8) {
            bytes[at++] = (byte) word;
            word >>>= 8;
        }
    }

    /** Unpacks {@code count} numbers from {@code at} on, adds {@code base} to each, and stores them from {@code values[to]} on. */
    static void unpack(byte[] bytes, int at, int count, int width, long base, long[] values, int to) {
        if (width == 0) {
            java.util.Arrays.fill(values, to, to + count, base);
            return;
        }
        long mask = -1L >>> (64 - width);
        int fast = width <= ONE_LOAD_BITS ? Math.min(count, oneLoadCount(bytes.length - at, width)) : 0;
        long bit = 0;
        for (int i = 0; i < fast; i++, bit += width) {
            long word = (long) LONG.get(bytes, at + (int) (bit >>> 3));
            values[to + i] = (word >>> (bit & 7) & mask) + base;
        }
        for (int i = fast; i < count; i++, bit += width) {
            values[to + i] = (slow(bytes, at, bit, width) & mask) + base;
        }
    }

    /** As {@link #unpack}, for widths up to 31. */
    static void unpackInts(byte[] bytes, int at, int count, int width, int[] values) {
        long mask = (1L << width) - 1;
        int fast = width == 0 ? count : Math.min(count, oneLoadCount(bytes.length - at, width));
        if (width == 0) {
            java.util.Arrays.fill(values, 0, count, 0);
            return;
        }
        long bit = 0;
        for (int i = 0; i < fast; i++, bit += width) {
            long word = (long) LONG.get(bytes, at + (int) (bit >>> 3));
            values[i] = (int) (word >>> (bit & 7) & mask);
        }
        for (int i = fast; i < count; i++, bit += width) {
            values[i] = (int) (slow(bytes, at, bit, width) & mask);
        }
    }

    /** How many numbers can be read by loads of 8 bytes that stay within the array. */
    private static int oneLoadCount(int bytesLeft, int width) {
        if (bytesLeft < 8) {
            return 0;
        }
        return (int) Math.min(Integer.MAX_VALUE, ((bytesLeft - 8) * 8L + 7) / width + 1);
    }

    private static long slow(byte[] bytes, int at, long bit, int width) {
        int from = at + (int) (bit >>> 3);
        int shift = (int) (bit & 7);
        int count = (shift + width + 7) >>> 3;
        long word = 0;
        for (int i = 0; i < Math.min(count, 8); i++) {
            word |= (bytes[from + i] & 0xffL) << (8 * i);
        }
        word >>>= shift;
        return count > 8 ? word | (bytes[from + 8] & 0xffL) << (64 - shift) : word;
    }
}
