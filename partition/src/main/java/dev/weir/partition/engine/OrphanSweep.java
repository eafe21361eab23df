package dev.weir.partition.engine;

import dev.weir.partition.store.ObjectEntry;
import dev.weir.partition.store.ObjectStore;
import dev.weir.partition.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/**
 * Removes from the store what belongs to nobody: files of tries that were not committed, files that a compaction replaced, files of dropped tables, logs of
 * tables that are published no more. A file goes when nobody has named it for so long as one leader has seen it, which should be longer than any query takes.
 * That it can't come to belong to somebody is no matter of time: the store is listed first, and what it has is held against names that the log has confirmed
 * after that ({@link Owners}). Used by one thread; {@link #waiting} by any.
 */
final class OrphanSweep {
    /** The folder, below a table's, of the log by which others read it. All partitions look after it. */
    private static final String PUBLISHED_LOG = "_delta_log/";

    private static final int PAGE = 1000;

    private final String partition;
    private final ObjectStore store;
    private final long ageNanos;
    private Map<String, Orphan> orphans = Map.of();
    private volatile List<Orphan> waiting = List.of();
    private final LongAdder removed = new LongAdder();

    /** Whose files are whose. */
    interface Owners {
        /** Keys that belong to somebody, as far as this replica knows without asking: those need no look. */
        Set<String> known();

        /**
         * Keys that belong to somebody, or may come to. What was stored before the call and is not among them never will.
         *
         * @throws IOException this replica leads no more, or could not make sure that it does
         */
        Set<String> confirmed() throws IOException, InterruptedException;

        /** Keys that a table's published version names; empty where the table is not published. */
        Optional<Set<String>> published(String prefix) throws IOException, InterruptedException;

        /** A lease holds the object, although nobody names it any more. */
        boolean isHeld(String key);
    }

    OrphanSweep(int partition, ObjectStore store, Duration age) {
        this.partition = "p" + partition + "-";
        this.store = store;
        this.ageNanos = age.toNanos();
    }

    /** Files removed since the process started. */
    long removed() {
        return removed.sum();
    }

    /** Files of nobody that are still there, as of the last sweep, those that go first before others. */
    List<Orphan> waiting() {
        return waiting;
    }

    /** Forgets what was seen: another has led since. */
    void forget() {
        orphans = Map.of();
        waiting = List.of();
    }

    /**
     * Looks once. Returns why tables were left out, if some were: their files wait on.
     *
     * @param prefixes of all tables that the partition has known, dropped ones too
     * @throws StoreException the store failed
     * @throws IOException as {@link Owners#confirmed}
     */
    List<String> sweep(Collection<String> prefixes, Owners owners, long nowNanos)
            throws IOException, StoreException, InterruptedException {
        Map<String, List<ObjectEntry>> unknown = new HashMap<>();
        Set<String> known = owners.known();
        for (String prefix : prefixes) {
            List<ObjectEntry> found = unknown(prefix, known);
            if (!found.isEmpty()) {
                unknown.put(prefix, found);
            }
        }
        Map<String, Orphan> still = new HashMap<>();
        List<String> failures = new ArrayList<>();
        Set<String> confirmed = unknown.isEmpty() ? Set.of() : owners.confirmed();
        unknown.forEach((prefix, entries) -> entries.removeIf(entry -> confirmed.contains(entry.key())));
        for (Map.Entry<String, List<ObjectEntry>> table : unknown.entrySet()) {
            try {
                Optional<Set<String>> published = owners.published(table.getKey());
                for (ObjectEntry entry : table.getValue()) {
                    if (isNobodys(table.getKey(), entry.key(), published)) {
                        Orphan orphan = seen(entry, nowNanos);
                        still.put(entry.key(), owners.isHeld(entry.key()) ? orphan.kept() : orphan);
                    }
                }
            } catch (IOException | RuntimeException e) {
                failures.add(table.getKey() + ": its published version can't be read: " + e.getMessage());
                keep(table.getValue(), still);
            }
        }
        remove(still, nowNanos);
        return failures;
    }

    /** What was seen before waits on. */
    private void keep(List<ObjectEntry> entries, Map<String, Orphan> still) {
        for (ObjectEntry entry : entries) {
            Orphan before = orphans.get(entry.key());
            if (before != null) {
                still.put(before.key(), before.kept());
            }
        }
    }

    private List<ObjectEntry> unknown(String prefix, Set<String> known) throws StoreException, InterruptedException {
        List<ObjectEntry> found = new ArrayList<>();
        String after = "";
        for (List<ObjectEntry> page = store.list(prefix, after, PAGE);
                !page.isEmpty();
                page = store.list(prefix, after, PAGE)) {
            for (ObjectEntry entry : page) {
                if (!known.contains(entry.key()) && (isLog(prefix, entry.key()) || isOfPartition(entry.key()))) {
                    found.add(entry);
                }
            }
            after = page.getLast().key();
        }
        return found;
    }

    private static boolean isNobodys(String prefix, String key, Optional<Set<String>> published) {
        return published.isEmpty() || (!isLog(prefix, key) && !published.get().contains(key));
    }

    private Orphan seen(ObjectEntry entry, long nowNanos) {
        Orphan before = orphans.get(entry.key());
        long since = before != null && before.modifiedAt().equals(entry.modifiedAt()) ? before.sinceNanos() : nowNanos;
        return new Orphan(entry.key(), entry.bytes(), entry.modifiedAt(), since, ageNanos, true);
    }

    private void remove(Map<String, Orphan> still, long nowNanos) throws StoreException, InterruptedException {
        orphans = still;
        try {
            for (Orphan orphan : List.copyOf(still.values())) {
                if (orphan.mayGo() && nowNanos - orphan.sinceNanos() >= ageNanos) {
                    store.delete(orphan.key());
                    still.remove(orphan.key());
                    removed.increment();
                }
            }
        } finally {
            waiting = still.values().stream()
                    .sorted(Comparator.comparingLong(Orphan::sinceNanos).thenComparing(Orphan::key))
                    .toList();
        }
    }

    private static boolean isLog(String prefix, String key) {
        return key.startsWith(PUBLISHED_LOG, prefix.length());
    }

    /** By its last part alone: a table may be called like another partition's files. */
    private boolean isOfPartition(String key) {
        return key.startsWith(partition, key.lastIndexOf('/') + 1);
    }
}
