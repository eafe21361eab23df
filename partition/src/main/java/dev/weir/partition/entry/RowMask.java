package dev.weir.partition.entry;

/** Sets of rows as bits: row {@code i} is bit {@code i & 63} of word {@code i >> 6}; on disk bit {@code i & 7} of byte {@code i >> 3}. */
final class RowMask {
    private RowMask() {}

    static int words(int rows) {
        return (rows + 63) >>> 6;
    }

    static boolean get(long[] mask, int row) {
        return (mask[row >>> 6] >>> row & 1) != 0;
    }

    static void set(long[] mask, int row) {
        mask[row >>> 6] |= 1L << row;
    }

    static void clear(long[] mask, int row) {
        mask[row >>> 6] &= ~(1L << row);
    }

    /** Sets rows 0 to {@code rows} - 1 and clears the rest of the words. */
    static void fill(long[] mask, int rows) {
        java.util.Arrays.fill(mask, 0);
        java.util.Arrays.fill(mask, 0, rows >>> 6, -1L);
        if ((rows & 63) != 0) {
            mask[rows >>> 6] = (1L << (rows & 63)) - 1;
        }
    }

    static int count(long[] mask, int rows) {
        int count = 0;
        for (int word = 0; word < words(rows); word++) {
            count += Long.bitCount(mask[word] & validBits(word, rows));
        }
        return count;
    }

    static void write(ByteWriter out, long[] mask, int rows) {
        int bytes = (rows + 7) >>> 3;
        int at = out.claim(bytes);
        byte[] array = out.array();
        for (int i = 0; i < bytes; i++) {
            long word = mask[i >>> 3] & validBits(i >>> 3, rows);
            array[at + i] = (byte) (word >>> (8 * (i & 7)));
        }
    }

    static long[] read(ByteReader in, int rows, String what) {
        int bytes = (rows + 7) >>> 3;
        int at = in.skip(bytes, what);
        long[] mask = new long[words(rows)];
        for (int i = 0; i < bytes; i++) {
            mask[i >>> 3] |= (in.array()[at + i] & 0xffL) << (8 * (i & 7));
        }
        if ((rows & 63) != 0 && (mask[rows >>> 6] & ~validBits(rows >>> 6, rows)) != 0) {
            throw new FormatException(what + ": bits set beyond row " + (rows - 1));
        }
        return mask;
    }

    private static long validBits(int word, int rows) {
        int left = rows - (word << 6);
        return left >= 64 ? -1L : (1L << left) - 1;
    }
}
