package dev.weir.partition.file;

import java.util.Arrays;

/** Distinct texts in the order of their first appearance. */
final class TextDictionary {
    private final TextValues entries = new TextValues();
    private int[] table = new int[256];

    TextValues entries() {
        return entries;
    }

    void clear() {
        entries.clear();
        Arrays.fill(table, 0);
    }

    /** The place of a text, which is added if it is new. */
    int place(byte[] source, int from, int length) {
        if (2 * entries.count() >= table.length) {
            grow();
        }
        int slot = hash(source, from, length) & (table.length - 1);
        while (table[slot] != 0) {
            int place = table[slot] - 1;
            if (entries.equal(place, source, from, length)) {
                return place;
            }
            slot = (slot + 1) & (table.length - 1);
        }
        entries.add(source, from, length);
        table[slot] = entries.count();
        return entries.count() - 1;
    }

    private void grow() {
        table = new int[2 * table.length];
        for (int place = 0; place < entries.count(); place++) {
            int slot = hash(entries.bytes(), entries.from(place), entries.length(place)) & (table.length - 1);
            while (table[slot] != 0) {
                slot = (slot + 1) & (table.length - 1);
            }
            table[slot] = place + 1;
        }
    }

    private static int hash(byte[] bytes, int from, int length) {
        int hash = 1;
        for (int i = from; i < from + length; i++) {
            hash = 31 * hash + bytes[i];
        }
        hash *= 0x9e3779b9;
        return hash ^ hash >>> 16;
    }
}
