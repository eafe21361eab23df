package dev.weir.partition.model;

/**
 * Where a series lives. The hash is 64-bit FNV-1a over the canonical encoding of {@link SeriesKey}; both are part of the formats and never
 * change.
 */
public final class SeriesHash {
    /** Slots of the hash space; a partition owns some of them. */
    public static final int SLOTS = 4096;

    private static final long OFFSET = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;

    private SeriesHash() {}

    public static long start() {
        return OFFSET;
    }

    public static long add(long hash, byte[] bytes, int from, int length) {
        long h = hash;
        for (int i = from, end = from + length; i < end; i++) {
            h = (h ^ (bytes[i] & 0xff)) * PRIME;
        }
        return h;
    }

    /** The slot of a series, 0 to {@link #SLOTS} - 1: the hash mixed (MurmurHash3's finalizer), modulo the slots. */
    public static int slot(long seriesHash) {
        long h = seriesHash;
        h ^= h >>> 33;
        h *= 0xff51afd7ed558ccdL;
        h ^= h >>> 33;
        h *= 0xc4ceb9fe1a85ec53L;
        h ^= h >>> 33;
        return (int) (h & (SLOTS - 1));
    }
}
