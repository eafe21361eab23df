package dev.weir.partition.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Finds a series' id by its tags: open addressing over {@link SeriesPages}, 4 bytes a slot.
 *
 * <p>Threading: one thread adds, any thread finds. A finder may miss a series that is being added; it never finds a wrong one, since it
 * compares tags that were published before the slot.
 */
final class SeriesIndex {
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(int[].class);

    private final SeriesPages pages;
    private volatile int[] slots = new int[64];

    SeriesIndex(SeriesPages pages) {
        this.pages = pages;
    }

    /** The id, or -1. */
    int find(int tableId, long hash, byte[] tags, int offset, int length) {
        int[] table = slots;
        int mask = table.length - 1;
        int at = start(tableId, hash) & mask;
        while (true) {
            int id = (int) SLOT.getAcquire(table, at) - 1;
            if (id < 0) {
                return -1;
            }
            if (pages.equals(id, tableId, hash, tags, offset, length)) {
                return id;
            }
            at = (at + 1) & mask;
        }
    }

    /** Adds an id that {@link SeriesPages} holds already. */
    void add(int id) {
        if ((id + 1) * 3L > slots.length * 2L) {
            int[] bigger = new int[slots.length * 2];
            for (int each = 0; each < id; each++) {
                place(bigger, each);
            }
            slots = bigger;
        }
        place(slots, id);
    }

    private void place(int[] table, int id) {
        int mask = table.length - 1;
        int at = start(pages.table(id), pages.hash(id)) & mask;
        while (table[at] != 0) {
            at = (at + 1) & mask;
        }
        SLOT.setRelease(table, at, id + 1);
    }

    private static int start(int tableId, long hash) {
        long mixed = (hash + tableId) * 0x9e3779b97f4a7c15L;
        return (int) (mixed >>> 32);
    }
}
