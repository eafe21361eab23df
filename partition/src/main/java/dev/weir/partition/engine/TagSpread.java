package dev.weir.partition.engine;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** How many distinct values each tag of a table has, about, from the canonical tags of its series. A function of the set of series alone. */
final class TagSpread {
    /** Tags counted; a table may have more, whose values are then not ranked. */
    private static final int TAGS_MAX = 256;

    private byte[][] keys = new byte[4][];
    private DistinctEstimate[] values = new DistinctEstimate[4];
    private int count;

    /** @param tags as {@link dev.weir.partition.entry.CanonicalTags} encodes them */
    void add(byte[] tags, int from, int length) {
        ByteBuffer in = ByteBuffer.wrap(tags, from, length);
        int hint = 0;
        while (in.hasRemaining()) {
            int keyLength = in.getInt();
            int keyFrom = in.position();
            int valueLength = in.position(keyFrom + keyLength).getInt();
            int valueFrom = in.position();
            int tag = tag(hint, tags, keyFrom, keyLength);
            if (tag >= 0) {
                values[tag].add(mix(tags, valueFrom, valueLength));
            }
            hint = tag + 1;
            in.position(valueFrom + valueLength);
        }
    }

    /** The tag with most distinct values, the first in order of keys among equals; empty where no series has tags. */
    String widest() {
        String widest = "";
        double most = 0;
        for (int i = 0; i < count; i++) {
            String key = new String(keys[i], StandardCharsets.UTF_8);
            double distinct = values[i].count();
            if (distinct > most || (distinct == most && key.compareTo(widest) < 0)) {
                most = distinct;
                widest = key;
            }
        }
        return widest;
    }

    private int tag(int hint, byte[] bytes, int from, int length) {
        for (int i = 0; i < count; i++) {
            int at = hint + i < count ? hint + i : hint + i - count;
            byte[] key = keys[at];
            if (Arrays.equals(key, 0, key.length, bytes, from, from + length)) {
                return at;
            }
        }
        if (count == TAGS_MAX) {
            return -1;
        }
        if (count == keys.length) {
            keys = Arrays.copyOf(keys, count * 2);
            values = Arrays.copyOf(values, count * 2);
        }
        keys[count] = Arrays.copyOfRange(bytes, from, from + length);
        values[count] = new DistinctEstimate();
        return count++;
    }

    private static long mix(byte[] bytes, int from, int length) {
        long hash = length;
        for (int i = from; i < from + length; i++) {
            hash = hash * 31 + bytes[i];
        }
        hash = (hash ^ (hash >>> 32)) * 0xff51afd7ed558ccdL;
        return (hash ^ (hash >>> 29)) * 0xc4ceb9fe1a85ec53L ^ hash >>> 32;
    }
}
