package dev.weir.partition.store;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link FileCache} holds and what goes first: files opened once, the longest unused first; then those opened more often, likewise. So a
 * scan over many files pushes out what other scans left, not what is in steady use. Files in use stay.
 *
 * <p>A plain object: no files, no threads. The caller holds the lock.
 */
final class CacheIndex {
    /** Share of the bytes that files opened more than once may keep from the others. */
    private static final double FREQUENT_SHARE = 0.8;

    private final long bytesMax;
    private final Map<String, Entry> once = new LinkedHashMap<>();
    private final Map<String, Entry> often = new LinkedHashMap<>();
    private long bytes;
    private long oftenBytes;
    private long pinnedBytes;

    /** A file; on its way while {@code isReady} is false, then pinned by who fetches it. */
    static final class Entry {
        final String name;
        final long bytes;
        boolean isReady;
        /** False for a file of an earlier process, whose bytes nobody has looked at yet. */
        boolean isChecked;

        private int pins;

        private Entry(String name, long bytes) {
            this.name = name;
            this.bytes = bytes;
        }
    }

    CacheIndex(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    @Nullable
    Entry find(String name) {
        Entry entry = once.get(name);
        return entry == null ? often.get(name) : entry;
    }

    /** Makes room for a file and enters it, pinned; null where the files in use leave too little. */
    @Nullable
    Entry admit(String name, long size, List<Entry> evicted) {
        if (size > bytesMax - pinnedBytes) {
            return null;
        }
        evict(once, size, evicted);
        oftenBytes -= evict(often, size, evicted);
        Entry entry = new Entry(name, size);
        once.put(name, entry);
        bytes += size;
        pin(entry);
        return entry;
    }

    /** Enters a file found on disk; the newest last. */
    Entry found(String name, long size) {
        Entry entry = new Entry(name, size);
        entry.isReady = true;
        once.put(name, entry);
        bytes += size;
        return entry;
    }

    /** What must go so that the bound holds again. */
    List<Entry> shrink() {
        List<Entry> evicted = new ArrayList<>();
        evict(once, 0, evicted);
        return evicted;
    }

    /** Pins a file and remembers that it was asked for once more. */
    void use(Entry entry) {
        pin(entry);
        if (once.remove(entry.name) != null) {
            oftenBytes += entry.bytes;
        } else {
            often.remove(entry.name);
        }
        often.put(entry.name, entry);
        demote();
    }

    void unpin(Entry entry) {
        entry.pins--;
        if (entry.pins == 0) {
            pinnedBytes -= entry.bytes;
        }
    }

    void remove(Entry entry) {
        if (once.remove(entry.name, entry)) {
            bytes -= entry.bytes;
        } else if (often.remove(entry.name, entry)) {
            bytes -= entry.bytes;
            oftenBytes -= entry.bytes;
        }
    }

    long bytes() {
        return bytes;
    }

    long pinnedBytes() {
        return pinnedBytes;
    }

    int files() {
        return once.size() + often.size();
    }

    private void pin(Entry entry) {
        if (entry.pins == 0) {
            pinnedBytes += entry.bytes;
        }
        entry.pins++;
    }

    private void demote() {
        Iterator<Entry> oldest = often.values().iterator();
        while (oftenBytes > FREQUENT_SHARE * bytesMax && oldest.hasNext()) {
            Entry entry = oldest.next();
            oldest.remove();
            oftenBytes -= entry.bytes;
            once.put(entry.name, entry);
        }
    }

    /** Returns the bytes of what went. */
    private long evict(Map<String, Entry> from, long size, List<Entry> evicted) {
        long before = bytes;
        Iterator<Entry> oldest = from.values().iterator();
        while (bytes + size > bytesMax && oldest.hasNext()) {
            Entry entry = oldest.next();
            if (entry.pins == 0) {
                oldest.remove();
                bytes -= entry.bytes;
                evicted.add(entry);
            }
        }
        return before - bytes;
    }
}
