package dev.weir.partition.entry;

import java.util.Arrays;

/** The distinct series of a block while it is built, numbered as they come. */
final class SeriesTable {
    private byte[] tags = new byte[1024];
    private int[] ends = new int[16];
    private long[] hashes = new long[16];
    private int[] slots = new int[32];
    private int count;

    int count() {
        return count;
    }

    int tagBytes() {
        return count == 0 ? 0 : ends[count - 1];
    }

    int add(byte[] source, int from, int length, long hash) {
        int mask = slots.length - 1;
        int slot = spread(hash) & mask;
        while (slots[slot] != 0) {
            int ref = slots[slot] - 1;
            if (hashes[ref] == hash && Arrays.equals(tags, start(ref), ends[ref], source, from, from + length)) {
                return ref;
            }
            slot = slot + 1 & mask;
        }
        append(source, from, length, hash);
        slots[slot] = count;
        if (count * 2 > slots.length) {
            rehash(slots.length * 2);
        }
        return count - 1;
    }

    /** Drops the series that no row refers to, and renumbers the rows' refs. */
    void dropUnused(int[] seriesOfRow, int rows) {
        boolean[] used = new boolean[count];
        int usedCount = 0;
        for (int row = 0; row < rows; row++) {
            usedCount += used[seriesOfRow[row]] ? 0 : 1;
            used[seriesOfRow[row]] = true;
        }
        if (usedCount == count) {
            return;
        }
        int[] refs = new int[count];
        int kept = 0;
        int to = 0;
        for (int ref = 0; ref < count; ref++) {
            if (used[ref]) {
                int from = start(ref);
                int length = ends[ref] - from;
                // Moves to the front only, so nothing that is still needed is overwritten.
                System.arraycopy(tags, from, tags, to, length);
                to += length;
                hashes[kept] = hashes[ref];
                refs[ref] = kept;
                ends[kept++] = to;
            }
        }
        count = kept;
        for (int row = 0; row < rows; row++) {
            seriesOfRow[row] = refs[seriesOfRow[row]];
        }
        rehash(slots.length);
    }

    void reset() {
        count = 0;
        Arrays.fill(slots, 0);
    }

    /** Writes the dictionary: hash, varint length and tags of each series. */
    void write(ByteWriter out) {
        for (int ref = 0; ref < count; ref++) {
            out.u64(hashes[ref]);
            out.blob(tags, start(ref), ends[ref] - start(ref));
        }
    }

    private int start(int ref) {
        return ref == 0 ? 0 : ends[ref - 1];
    }

    private void append(byte[] source, int from, int length, long hash) {
        if (count == hashes.length) {
            hashes = Arrays.copyOf(hashes, count * 2);
            ends = Arrays.copyOf(ends, count * 2);
        }
        int at = tagBytes();
        if (tags.length - at < length) {
            tags = Arrays.copyOf(tags, Math.max(at + length, tags.length * 2));
        }
        System.arraycopy(source, from, tags, at, length);
        hashes[count] = hash;
        ends[count] = at + length;
        count++;
    }

    private void rehash(int size) {
        slots = new int[size];
        int mask = slots.length - 1;
        for (int ref = 0; ref < count; ref++) {
            int slot = spread(hashes[ref]) & mask;
            while (slots[slot] != 0) {
                slot = slot + 1 & mask;
            }
            slots[slot] = ref + 1;
        }
    }

    private static int spread(long hash) {
        long mixed = hash * 0x9e3779b97f4a7c15L;
        return (int) (mixed >>> 32);
    }
}
