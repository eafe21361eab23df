package dev.weir.partition.file;

import java.util.Arrays;

/** Distinct numbers, by their bits, in the order of their first appearance. */
final class LongDictionary {
    private final int entriesMax;
    private final int[] table;
    private final long[] entries;
    private int count;

    /** @param entriesMax a power of two */
    LongDictionary(int entriesMax) {
        this.entriesMax = entriesMax;
        this.table = new int[4 * entriesMax];
        this.entries = new long[entriesMax];
    }

    int count() {
        return count;
    }

    long[] entries() {
        return entries;
    }

    /**
     * Finds the places of values.
     *
     * @return false where there are too many distinct ones; the places are then of no use
     */
    boolean build(long[] values, int size, int[] places) {
        Arrays.fill(table, 0);
        count = 0;
        long before = 0;
        int beforePlace = -1;
        for (int i = 0; i < size; i++) {
            long value = values[i];
            if (value != before || beforePlace < 0) {
                before = value;
                beforePlace = place(value);
                if (beforePlace < 0) {
                    return false;
                }
            }
            places[i] = beforePlace;
        }
        return true;
    }

    private int place(long value) {
        int slot = slot(value);
        while (table[slot] != 0) {
            int place = table[slot] - 1;
            if (entries[place] == value) {
                return place;
            }
            slot = (slot + 1) & (table.length - 1);
        }
        if (count == entriesMax) {
            return -1;
        }
        entries[count] = value;
        table[slot] = ++count;
        return count - 1;
    }

    private int slot(long value) {
        long hash = value * 0x9e3779b97f4a7c15L;
        return (int) (hash >>> 40) & (table.length - 1);
    }
}
