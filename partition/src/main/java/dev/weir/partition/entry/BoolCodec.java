package dev.weir.partition.entry;

/**
 * Columns of bools.
 *
 * <pre>
 * 0 CONSTANT  u8 0 or 1
 * 1 BITS      a bit per value
 * </pre>
 */
final class BoolCodec {
    private static final int CONSTANT = 0;
    private static final int BITS = 1;

    private BoolCodec() {}

    static void encode(ByteWriter out, long[] values, int count) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += values[i];
        }
        if (sum == 0 || sum == count) {
            out.u8(CONSTANT);
            out.u8((int) values[0]);
        } else {
            out.u8(BITS);
            BitPacking.pack(out, values, 0, count, 0, 1);
        }
    }

    /** As a mask of values. */
    static long[] decode(ByteReader in, int count, String what) {
        int form = in.u8(what);
        if (form == BITS) {
            return RowMask.read(in, count, what);
        }
        int value = in.u8(what);
        if (form != CONSTANT || value > 1) {
            throw new FormatException(what + ": form of bools " + form + " with value " + value + ", expected 0 or 1");
        }
        long[] mask = new long[RowMask.words(count)];
        if (value == 1) {
            RowMask.fill(mask, count);
        }
        return mask;
    }
}
