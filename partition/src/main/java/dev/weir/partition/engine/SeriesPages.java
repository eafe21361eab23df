package dev.weir.partition.engine;

import dev.weir.partition.entry.CanonicalTags;
import dev.weir.partition.model.Tag;
import java.util.Arrays;
import java.util.List;

/**
 * The series that a partition's log has defined: an append-only list of (table, hash, canonical tags) by dense id.
 *
 * <p>Threading: one thread adds; any thread reads the ids that it has learned of from that thread (by a record, or {@link #count}). Pages never
 * move, so readers need no lock.
 */
final class SeriesPages {
    static final int PAGE = 4096;
    private static final int PAGE_BITS = 12;
    private static final int ARENA_BYTES = 1 << 20;

    private volatile Page[] pages = {};
    private volatile byte[][] arenas = {};
    private volatile int count;
    private int arenaFree;
    private long tagBytes;

    private static final class Page {
        private final int[] tables = new int[PAGE];
        private final long[] hashes = new long[PAGE];
        private final int[] arenas = new int[PAGE];
        private final int[] offsets = new int[PAGE];
        private final int[] lengths = new int[PAGE];
    }

    int count() {
        return count;
    }

    /** Bytes of all tags. */
    long tagBytes() {
        return tagBytes;
    }

    int add(int tableId, long hash, byte[] tags, int offset, int length) {
        int id = count;
        int at = id & (PAGE - 1);
        if (at == 0) {
            Page[] more = Arrays.copyOf(pages, pages.length + 1);
            more[more.length - 1] = new Page();
            pages = more;
        }
        if (length > arenaFree || arenas.length == 0) {
            byte[][] more = Arrays.copyOf(arenas, arenas.length + 1);
            arenaFree = Math.max(arenaSize(), length);
            more[more.length - 1] = new byte[arenaFree];
            arenas = more;
        }
        byte[] arena = arenas[arenas.length - 1];
        int place = arena.length - arenaFree;
        System.arraycopy(tags, offset, arena, place, length);
        arenaFree -= length;
        tagBytes += length;
        Page page = pages[pages.length - 1];
        page.tables[at] = tableId;
        page.hashes[at] = hash;
        page.arenas[at] = arenas.length - 1;
        page.offsets[at] = place;
        page.lengths[at] = length;
        count = id + 1;
        return id;
    }

    int table(int id) {
        return page(id).tables[id & (PAGE - 1)];
    }

    long hash(int id) {
        return page(id).hashes[id & (PAGE - 1)];
    }

    byte[] canonicalTags(int id) {
        Page page = page(id);
        int at = id & (PAGE - 1);
        return Arrays.copyOfRange(arenas[page.arenas[at]], page.offsets[at], page.offsets[at] + page.lengths[at]);
    }

    List<Tag> tags(int id) {
        Page page = page(id);
        int at = id & (PAGE - 1);
        return CanonicalTags.decode(arenas[page.arenas[at]], page.offsets[at], page.lengths[at]);
    }

    boolean equals(int id, int tableId, long hash, byte[] tags, int offset, int length) {
        Page page = page(id);
        int at = id & (PAGE - 1);
        if (page.hashes[at] != hash || page.tables[at] != tableId || page.lengths[at] != length) {
            return false;
        }
        int place = page.offsets[at];
        return Arrays.equals(arenas[page.arenas[at]], place, place + length, tags, offset, offset + length);
    }

    /** Small first arenas, so that many small partitions cost little. */
    private int arenaSize() {
        return Math.min(ARENA_BYTES, 8192 << Math.min(7, arenas.length));
    }

    private Page page(int id) {
        return pages[id >>> PAGE_BITS];
    }
}
