package dev.weir.partition.delta;

import dev.weir.partition.engine.PartitionFiles;
import dev.weir.partition.entry.StoredFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * What the next version of a Delta table changes. Pure.
 *
 * <p>A group of files is published as it is where each of its points is in one file, no delete waits to be applied, and all columns have the types of
 * today. A group that is not so far stays as it was published, and is to be rewritten; the cut of its partition waits with it.
 *
 * @param through per partition one past the last event that the version reflects for certain; of a held partition as before
 * @param rewrites what has to be merged before more can be published
 * @param held nothing changes although files have, since columns have new types and files of the old ones are left
 */
record PublishPlan(
        List<Addition> adds,
        List<Removal> removes,
        SortedMap<Integer, Long> through,
        List<Rewrite> rewrites,
        boolean held) {
    /** @param sameRows the group's rows are those that it had before */
    record Addition(FileGroup group, StoredFile file, boolean sameRows) {}

    record Removal(PublishedFile file, boolean sameRows) {}

    PublishPlan {
        adds = List.copyOf(adds);
        removes = List.copyOf(removes);
        rewrites = List.copyOf(rewrites);
    }

    /**
     * @param prefix of the table's keys
     * @param now every partition of the map
     * @param hasOldTypes a file whose columns have other types than the table has today
     * @param retyped the published columns have other types than the table has today
     */
    static PublishPlan of(
            PublishedTable base,
            String prefix,
            List<PartitionFiles> now,
            Predicate<StoredFile> hasOldTypes,
            boolean retyped) {
        Planner planner = new Planner(base, prefix, hasOldTypes, retyped);
        now.forEach(planner::take);
        return planner.plan(now);
    }

    boolean changesFiles() {
        return !adds.isEmpty() || !removes.isEmpty();
    }

    private static final class Planner {
        private final PublishedTable base;
        private final String prefix;
        private final Predicate<StoredFile> hasOldTypes;
        private final boolean retyped;
        private final List<Addition> adds = new ArrayList<>();
        private final List<Removal> removes = new ArrayList<>();
        private final SortedMap<Integer, Long> through = new TreeMap<>();
        private final List<Rewrite> rewrites = new ArrayList<>();

        Planner(PublishedTable base, String prefix, Predicate<StoredFile> hasOldTypes, boolean retyped) {
            this.base = base;
            this.prefix = prefix;
            this.hasOldTypes = hasOldTypes;
            this.retyped = retyped;
        }

        void take(PartitionFiles partition) {
            Map<FileGroup, List<StoredFile>> groups = new HashMap<>();
            Set<FileGroup> all = new LinkedHashSet<>();
            for (StoredFile file : partition.files()) {
                FileGroup group = FileGroup.of(partition.partition(), file);
                groups.computeIfAbsent(group, any -> new ArrayList<>()).add(file);
                all.add(group);
            }
            base.groups().keySet().stream()
                    .filter(group -> group.partition() == partition.partition())
                    .forEach(all::add);
            boolean complete = true;
            for (FileGroup group : all) {
                List<StoredFile> files = groups.getOrDefault(group, List.of());
                List<Rewrite> needed = Rewrite.needed(partition, files, hasOldTypes);
                rewrites.addAll(needed);
                complete &= needed.isEmpty();
                if (needed.isEmpty()) {
                    change(group, base.groups().getOrDefault(group, List.of()), files);
                }
            }
            Long before = base.through().get(partition.partition());
            if (complete) {
                through.put(partition.partition(), partition.throughSeq());
            } else if (before != null) {
                through.put(partition.partition(), before);
            }
        }

        private void change(FileGroup group, List<PublishedFile> before, List<StoredFile> after) {
            Map<String, PublishedFile> gone = new HashMap<>();
            before.forEach(file -> gone.put(prefix + file.path(), file));
            List<StoredFile> more = new ArrayList<>();
            for (StoredFile file : after) {
                if (gone.remove(file.key()) == null) {
                    more.add(file);
                }
            }
            boolean same = !retyped && hasSameRows(List.copyOf(gone.values()), more);
            gone.values().forEach(file -> removes.add(new Removal(file, same)));
            more.forEach(file -> adds.add(new Addition(group, file, same)));
        }

        /**
         * As many rows, of no other seqs: a published group was whole, so whatever else there was of it has a later seq, and a merge that took something
         * in or dropped something shows in one of the two.
         */
        private static boolean hasSameRows(List<PublishedFile> gone, List<StoredFile> more) {
            long rowsBefore = gone.stream().mapToLong(PublishedFile::rows).sum();
            long rowsAfter = more.stream().mapToLong(StoredFile::rows).sum();
            long first = gone.stream().mapToLong(PublishedFile::firstSeq).min().orElse(Long.MAX_VALUE);
            long last = gone.stream().mapToLong(PublishedFile::lastSeq).max().orElse(Long.MIN_VALUE);
            return rowsBefore == rowsAfter
                    && more.stream().allMatch(file -> file.firstSeq() >= first && file.lastSeq() <= last);
        }

        PublishPlan plan(List<PartitionFiles> now) {
            Set<Integer> partitions = new HashSet<>();
            now.forEach(each -> partitions.add(each.partition()));
            base.groups().forEach((group, files) -> {
                if (!partitions.contains(group.partition())) {
                    files.forEach(file -> removes.add(new Removal(file, false)));
                }
            });
            return retyped && !rewrites.isEmpty()
                    ? new PublishPlan(List.of(), List.of(), base.through(), rewrites, true)
                    : new PublishPlan(adds, removes, through, rewrites, false);
        }
    }
}
