package dev.weir.partition.entry;

import java.util.Arrays;

/**
 * Columns of 64-bit integers; arithmetic wraps, so every value survives. The smallest form is taken:
 *
 * <pre>
 * 0 CONSTANT  zigzag value
 * 1 FRAME     width u8 1–64, unit u8, zigzag min, packed (value - min) / 10^unit
 * 2 DELTA     width u8 0–64, unit u8, zigzag first, zigzag min, packed (delta - min) / 10^unit, one less than values
 * 3 RUNS      varint runs, each: zigzag step from the run before (the first: from 0), varint length
 * </pre>
 */
final class LongCodec {
    private static final int CONSTANT = 0;
    private static final int FRAME = 1;
    private static final int DELTA = 2;
    private static final int RUNS = 3;
    private static final long[] UNITS = {1, 0, 0, 1_000, 0, 0, 1_000_000, 0, 0, 1_000_000_000};

    private LongCodec() {}

    /**
     * @param scratch at least as long as {@code count}
     * @param timestamps looks for a common unit of µs, ms or s
     */
    static void encode(ByteWriter out, long[] values, int count, long[] scratch, boolean timestamps) {
        long min = values[0];
        long max = values[0];
        long minDelta = Long.MAX_VALUE;
        long maxDelta = Long.MIN_VALUE;
        int runs = 1;
        long previous = values[0];
        for (int i = 1; i < count; i++) {
            long value = values[i];
            long delta = value - previous;
            scratch[i] = delta;
            runs += delta == 0 ? 0 : 1;
            min = Math.min(min, value);
            max = Math.max(max, value);
            minDelta = Math.min(minDelta, delta);
            maxDelta = Math.max(maxDelta, delta);
            previous = value;
        }
        if (min == max) {
            out.u8(CONSTANT);
            out.zigzag(min);
            return;
        }
        int unit = timestamps && runs > 2 ? unit(scratch, count) : 0;
        int width = BitPacking.width(perUnit(max - min, unit));
        int deltaWidth = BitPacking.width(perUnit(maxDelta - minDelta, unit));
        long frameBytes = BitPacking.bytes(count, width);
        long deltaBytes = 8L + BitPacking.bytes(count - 1, deltaWidth);
        long runBytes =
                (long) runs * (2 + ((BitPacking.width(Math.max(Math.abs(minDelta), Math.abs(maxDelta))) + 7) / 7));
        if (runBytes < frameBytes && runBytes < deltaBytes) {
            writeRuns(out, values, count, runs);
        } else if (deltaBytes < frameBytes) {
            out.u8(DELTA);
            out.u8(deltaWidth);
            out.u8(unit);
            out.zigzag(values[0]);
            out.zigzag(minDelta);
            pack(out, scratch, 1, count, minDelta, deltaWidth, unit);
        } else {
            out.u8(FRAME);
            out.u8(width);
            out.u8(unit);
            out.zigzag(min);
            if (unit == 0) {
                BitPacking.pack(out, values, 0, count, min, width);
            } else {
                System.arraycopy(values, 0, scratch, 0, count);
                pack(out, scratch, 0, count, min, width, unit);
            }
        }
    }

    /** Reads {@code count} values, at least 1, which the caller has bounded. */
    static long[] decode(ByteReader in, int count, String what) {
        int form = in.u8(what);
        return switch (form) {
            case CONSTANT -> {
                long[] values = new long[count];
                Arrays.fill(values, in.zigzag(what));
                yield values;
            }
            case FRAME -> frame(in, count, what);
            case DELTA -> delta(in, count, what);
            case RUNS -> runs(in, count, what);
            default -> throw new FormatException(what + ": form of integers " + form + ", expected 0 to 3");
        };
    }

    private static long[] frame(ByteReader in, int count, String what) {
        int width = width(in, 1, what);
        long unit = unit(in, what);
        long min = in.zigzag(what);
        int at = in.skip(BitPacking.bytes(count, width), what);
        long[] values = new long[count];
        if (unit == 1) {
            BitPacking.unpack(in.array(), at, count, width, min, values, 0);
            return values;
        }
        BitPacking.unpack(in.array(), at, count, width, 0, values, 0);
        for (int i = 0; i < count; i++) {
            values[i] = min + values[i] * unit;
        }
        return values;
    }

    private static long[] delta(ByteReader in, int count, String what) {
        int width = width(in, 0, what);
        long unit = unit(in, what);
        long value = in.zigzag(what);
        long min = in.zigzag(what);
        int at = in.skip(BitPacking.bytes(count - 1, width), what);
        long[] values = new long[count];
        values[0] = value;
        BitPacking.unpack(in.array(), at, count - 1, width, 0, values, 1);
        for (int i = 1; i < count; i++) {
            value += min + values[i] * unit;
            values[i] = value;
        }
        return values;
    }

    private static long[] runs(ByteReader in, int count, String what) {
        int runs = in.count(1, Math.min(count, in.remaining() / 2), what + " runs");
        long[] values = new long[count];
        long value = 0;
        int to = 0;
        for (int i = 0; i < runs; i++) {
            value += in.zigzag(what);
            int length = in.count(1, count - to, what + " run length");
            Arrays.fill(values, to, to + length, value);
            to += length;
        }
        if (to != count) {
            throw new FormatException(what + ": runs of " + to + " values in sum, expected " + count);
        }
        return values;
    }

    private static void writeRuns(ByteWriter out, long[] values, int count, int runs) {
        out.u8(RUNS);
        out.varint(runs);
        long before = 0;
        int from = 0;
        for (int i = 1; i <= count; i++) {
            if (i == count || values[i] != values[from]) {
                out.zigzag(values[from] - before);
                out.varint(i - from);
                before = values[from];
                from = i;
            }
        }
    }

    /** Packs values of the scratch, which it overwrites when they have a unit. */
    private static void pack(ByteWriter out, long[] scratch, int from, int to, long base, int width, int unit) {
        if (unit == 0) {
            BitPacking.pack(out, scratch, from, to, base, width);
            return;
        }
        for (int i = from; i < to; i++) {
            scratch[i] = perUnit(scratch[i] - base, unit);
        }
        BitPacking.pack(out, scratch, from, to, 0, width);
    }

    /** The largest exponent of 10 among 9, 6, 3, 0 that divides all deltas; 0 where a difference of two of them could overflow. */
    private static int unit(long[] deltas, int count) {
        int exponent = 9;
        for (int i = 1; i < count; i++) {
            long delta = deltas[i];
            if (delta > Long.MAX_VALUE / 4 / count || delta < Long.MIN_VALUE / 4 / count) {
                return 0;
            }
            while (exponent > 0 && delta % UNITS[exponent] != 0) {
                exponent -= 3;
            }
            if (exponent == 0) {
                return 0;
            }
        }
        return exponent;
    }

    private static long perUnit(long difference, int unit) {
        return unit == 0 ? difference : difference / UNITS[unit];
    }

    private static int width(ByteReader in, int min, String what) {
        int width = in.u8(what);
        if (width < min || width > 64) {
            throw new FormatException(what + ": width of " + width + " bits, expected " + min + " to 64");
        }
        return width;
    }

    private static long unit(ByteReader in, String what) {
        int unit = in.u8(what);
        if (unit >= UNITS.length || UNITS[unit] == 0) {
            throw new FormatException(what + ": unit 10^" + unit + ", expected exponent 0, 3, 6 or 9");
        }
        return UNITS[unit];
    }
}
