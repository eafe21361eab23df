package dev.weir.partition.entry;

/**
 * Doubles with random digits but few distinct signs and magnitudes: their highest 16 bits go through a dictionary.
 *
 * <pre>
 * varint entries 1–256, u16 each (little-endian), packed (entry &lt;&lt; 48 | lowest 48 bits), width 48 + bits of (entries - 1)
 * </pre>
 */
final class DoubleCut {
    private static final int LOW_BITS = 48;
    private static final long LOW_MASK = (1L << LOW_BITS) - 1;
    private static final int ENTRIES_MAX = 256;
    private static final int SLOTS = 1024;

    private DoubleCut() {}

    /** Writes nothing and answers false where there are too many distinct ones. */
    static boolean encode(ByteWriter out, long[] bits, int count, Scratch scratch) {
        long[] slots = scratch.zeros(SLOTS);
        long[] cut = scratch.longs(count);
        int[] tops = scratch.ints(ENTRIES_MAX);
        int entries = 0;
        for (int i = 0; i < count; i++) {
            int top = (int) (bits[i] >>> LOW_BITS);
            int slot = ((top * 0x9e3779b9) >>> 16) & (SLOTS - 1);
            // A slot holds top and entry + 1.
            while (slots[slot] != 0 && slots[slot] >>> 16 != top) {
                slot = (slot + 1) & (SLOTS - 1);
            }
            if (slots[slot] == 0) {
                if (entries == ENTRIES_MAX) {
                    return false;
                }
                tops[entries++] = top;
                slots[slot] = (long) top << 16 | entries;
            }
            long entry = (slots[slot] & 0xffff) - 1;
            cut[i] = entry << LOW_BITS | (bits[i] & LOW_MASK);
        }
        out.varint(entries);
        for (int entry = 0; entry < entries; entry++) {
            out.u8(tops[entry]);
            out.u8(tops[entry] >>> 8);
        }
        BitPacking.pack(out, cut, 0, count, 0, width(entries));
        return true;
    }

    static double[] decode(ByteReader in, int count, String what) {
        long[] tops = new long[in.count(1, ENTRIES_MAX, what + " dictionary")];
        for (int entry = 0; entry < tops.length; entry++) {
            tops[entry] = (in.u8(what) | (long) in.u8(what) << 8) << LOW_BITS;
        }
        int width = width(tops.length);
        int at = in.skip(BitPacking.bytes(count, width), what);
        long[] cut = new long[count];
        BitPacking.unpack(in.array(), at, count, width, 0, cut, 0);
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
            int entry = (int) (cut[i] >>> LOW_BITS);
            if (entry >= tops.length) {
                throw new FormatException(what + ": entry " + entry + " of a dictionary of " + tops.length);
            }
            values[i] = Double.longBitsToDouble(tops[entry] | (cut[i] & LOW_MASK));
        }
        return values;
    }

    private static int width(int entries) {
        return LOW_BITS + BitPacking.width(entries - 1L);
    }
}
