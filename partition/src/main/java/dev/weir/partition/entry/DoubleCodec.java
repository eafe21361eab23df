package dev.weir.partition.entry;

import com.github.luben.zstd.Zstd;
import java.util.Arrays;

/**
 * Columns of 64-bit floating-point numbers, kept bit by bit (NaN payloads and -0.0 too).
 *
 * <pre>
 * 0 CONSTANT  u64 bits
 * 1 DECIMAL   exponent u8 0–14, integers ({@link LongCodec}), varint exceptions, each: varint gap in rows, u64 bits
 * 2 RAW       u64 bits each
 * 3 SPLIT     varint length, zstd of the values' lowest bytes, then their next, and so on
 * 4 CUT       {@link DoubleCut}
 * </pre>
 *
 * A value is {@code integer / 10^exponent} in double arithmetic, which gives the very double that parsing its decimal text gave. What does not
 * come back exactly is an exception.
 */
final class DoubleCodec {
    private static final int CONSTANT = 0;
    private static final int DECIMAL = 1;
    private static final int RAW = 2;
    private static final int SPLIT = 3;
    private static final int CUT = 4;
    private static final int EXPONENT_MAX = 14;
    private static final double[] POWERS = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14
    };
    /** Integers below it are exact in a double with a bit to spare for rounding. */
    private static final double INTEGER_LIMIT = 1L << 51;
    /** Fewer values are not worth more than being copied. */
    private static final int FEW_VALUES = 64;
    /** More exceptions among the first values mean that there is no use in going on. */
    private static final int HOPELESS_EXCEPTIONS = 4;

    private DoubleCodec() {}

    /** Encodes values given as bits. */
    static void encode(ByteWriter out, long[] bits, int count, Scratch scratch) {
        if (allEqual(bits, count)) {
            out.u8(CONSTANT);
            out.u64(bits[0]);
        } else if (!decimal(out, bits, count, scratch)) {
            undecimal(out, bits, count, scratch);
        }
    }

    static double[] decode(ByteReader in, int count, String what) {
        int form = in.u8(what);
        return switch (form) {
            case CONSTANT -> {
                double[] values = new double[count];
                Arrays.fill(values, Double.longBitsToDouble(in.u64(what)));
                yield values;
            }
            case DECIMAL -> readDecimal(in, count, what);
            case RAW -> {
                int at = in.skip(Math.multiplyExact(count, 8), what);
                yield join(new ByteReader(in.array(), at, at + 8 * count), count);
            }
            case SPLIT -> readSplit(in, count, what);
            case CUT -> DoubleCut.decode(in, count, what);
            default -> throw new FormatException(what + ": form of doubles " + form + ", expected 0 to 4");
        };
    }

    private static boolean decimal(ByteWriter out, long[] bits, int count, Scratch scratch) {
        long[] integers = scratch.longs(count);
        int[] exceptions = scratch.ints(count);
        int exceptionsMax = count >> 3;
        int exceptionCount = 0;
        int exponent = 0;
        double power = 1;
        int i = 0;
        while (i < count) {
            double value = Double.longBitsToDouble(bits[i]);
            double scaled = value * power;
            if (Math.abs(scaled) < INTEGER_LIMIT) {
                long integer = (long) Math.rint(scaled);
                if (Double.doubleToRawLongBits(integer / power) == bits[i]) {
                    integers[i++] = integer;
                    continue;
                }
            }
            int larger = exponentOf(value, exponent + 1);
            if (larger <= EXPONENT_MAX) {
                exponent = larger;
                power = POWERS[larger];
                exceptionCount = 0;
                i = 0;
            } else if (exceptionCount == exceptionsMax || exceptionCount > HOPELESS_EXCEPTIONS + (i >> 2)) {
                return false;
            } else {
                exceptions[exceptionCount++] = i;
                integers[i] = i == 0 ? 0 : integers[i - 1];
                i++;
            }
        }
        out.u8(DECIMAL);
        out.u8(exponent);
        LongCodec.encode(out, integers, count, scratch.deltas(count), false);
        out.varint(exceptionCount);
        int before = -1;
        for (int e = 0; e < exceptionCount; e++) {
            out.varint(exceptions[e] - before - 1);
            out.u64(bits[exceptions[e]]);
            before = exceptions[e];
        }
        return true;
    }

    /** The smallest exponent from {@code from} on at which the value comes back exactly; above the largest where none does. */
    private static int exponentOf(double value, int from) {
        for (int exponent = from; exponent <= EXPONENT_MAX; exponent++) {
            double scaled = value * POWERS[exponent];
            if (!(Math.abs(scaled) < INTEGER_LIMIT)) {
                return EXPONENT_MAX + 1;
            }
            double back = (long) Math.rint(scaled) / POWERS[exponent];
            if (Double.doubleToRawLongBits(back) == Double.doubleToRawLongBits(value)) {
                return exponent;
            }
        }
        return EXPONENT_MAX + 1;
    }

    private static double[] readDecimal(ByteReader in, int count, String what) {
        int exponent = in.u8(what);
        if (exponent > EXPONENT_MAX) {
            throw new FormatException(what + ": decimal exponent " + exponent + ", expected 0 to " + EXPONENT_MAX);
        }
        long[] integers = LongCodec.decode(in, count, what);
        double power = POWERS[exponent];
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
            values[i] = integers[i] / power;
        }
        int exceptions = in.count(0, Math.min(count, in.remaining() / 9), what + " exceptions");
        int at = -1;
        for (int e = 0; e < exceptions; e++) {
            at += 1 + in.count(0, count - at - 2, what + " exception's row");
            values[at] = Double.longBitsToDouble(in.u64(what));
        }
        return values;
    }

    /** Values with all their digits: zstd costs more than it saves unless they repeat. */
    private static void undecimal(ByteWriter out, long[] bits, int count, Scratch scratch) {
        if (count >= FEW_VALUES) {
            if (repeats(bits, count, scratch) && split(out, bits, count)) {
                return;
            }
            int mark = out.size();
            out.u8(CUT);
            if (DoubleCut.encode(out, bits, count, scratch)) {
                return;
            }
            out.truncate(mark);
        }
        out.u8(RAW);
        int at = out.claim(8 * count);
        for (int i = 0; i < count; i++) {
            out.setLong(at + 8 * i, bits[i]);
        }
    }

    /** Whether half of the values have come before, as far as a table without probing remembers. */
    private static boolean repeats(long[] bits, int count, Scratch scratch) {
        int size = Integer.highestOneBit(count) * 4;
        long[] seen = scratch.zeros(size);
        int again = 0;
        for (int i = 0; i < count; i++) {
            int slot = (int) ((bits[i] * 0x9e3779b97f4a7c15L) >>> 32) & (size - 1);
            again += seen[slot] == bits[i] ? 1 : 0;
            seen[slot] = bits[i];
        }
        return again >= count / 2;
    }

    private static boolean split(ByteWriter out, long[] bits, int count) {
        byte[] planes = new byte[8 * count];
        for (int plane = 0; plane < 8; plane++) {
            int shift = 8 * plane;
            int to = plane * count;
            for (int i = 0; i < count; i++) {
                planes[to + i] = (byte) (bits[i] >>> shift);
            }
        }
        byte[] packed = Zstd.compress(planes, Texts.ZSTD_LEVEL);
        if (packed.length > planes.length - planes.length / 8) {
            return false;
        }
        out.u8(SPLIT);
        out.blob(packed, 0, packed.length);
        return true;
    }

    private static double[] readSplit(ByteReader in, int count, String what) {
        int length = in.length(what);
        int at = in.skip(length, what);
        byte[] planes = Texts.inflate(in.array(), at, length, Math.multiplyExact(8, count), what);
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
            long bits = 0;
            for (int plane = 0; plane < 8; plane++) {
                bits |= (planes[plane * count + i] & 0xffL) << (8 * plane);
            }
            values[i] = Double.longBitsToDouble(bits);
        }
        return values;
    }

    private static double[] join(ByteReader in, int count) {
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
            values[i] = Double.longBitsToDouble(in.u64("doubles"));
        }
        return values;
    }

    private static boolean allEqual(long[] bits, int count) {
        for (int i = 1; i < count; i++) {
            if (bits[i] != bits[0]) {
                return false;
            }
        }
        return true;
    }
}
