package dev.weir.partition.engine;

import dev.weir.partition.store.ObjectEntry;
import dev.weir.partition.store.ObjectStore;
import dev.weir.partition.store.StoreException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Removes from the store what belongs to nobody: files of tries that were not committed, files that a compaction replaced, files of dropped tables, logs of
 * tables that are published no more. A file goes when nobody has named it for so long as one leader has seen it, which is longer than any query or commit
 * takes. Used by one thread.
 */
final class OrphanSweep {
    /** The folder, below a table's, of the log by which others read it. All partitions look after it. */
    private static final String PUBLISHED_LOG = "_delta_log/";

    private static final int PAGE = 1000;

    private final String partition;
    private final ObjectStore store;
    private final Map<String, Long> unnamedSince = new HashMap<>();
    private final long ageNanos;
    private long removed;

    OrphanSweep(int partition, ObjectStore store, Duration age) {
        this.partition = "p" + partition + "-";
        this.store = store;
        this.ageNanos = age.toNanos();
    }

    /** Files removed since the process started. */
    long removed() {
        return removed;
    }

    /** Files that no manifest names, as of the last sweep. */
    int waiting() {
        return unnamedSince.size();
    }

    /**
     * @param prefixes of all tables that the partition has known, dropped ones too
     * @param published of these, those of tables with a log that others read
     * @param named keys that belong to somebody
     */
    void sweep(Collection<String> prefixes, Set<String> published, Set<String> named, long nowNanos)
            throws StoreException, InterruptedException {
        Map<String, Long> still = new HashMap<>();
        for (String prefix : prefixes) {
            String after = "";
            for (List<ObjectEntry> page = store.list(prefix, after, PAGE);
                    !page.isEmpty();
                    page = store.list(prefix, after, PAGE)) {
                for (ObjectEntry entry : page) {
                    boolean isLog = entry.key().startsWith(PUBLISHED_LOG, prefix.length());
                    boolean mayGo = isLog ? !published.contains(prefix) : isOfPartition(entry.key());
                    if (mayGo && !named.contains(entry.key())) {
                        still.put(entry.key(), unnamedSince.getOrDefault(entry.key(), nowNanos));
                    }
                }
                after = page.getLast().key();
            }
        }
        unnamedSince.clear();
        for (Map.Entry<String, Long> each : still.entrySet()) {
            if (nowNanos - each.getValue() >= ageNanos) {
                store.delete(each.getKey());
                removed++;
            } else {
                unnamedSince.put(each.getKey(), each.getValue());
            }
        }
    }

    /** By its last part alone: a table may be called like another partition's files. */
    private boolean isOfPartition(String key) {
        return key.startsWith(partition, key.lastIndexOf('/') + 1);
    }
}
