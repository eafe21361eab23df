package dev.weir.partition.delta;

import dev.weir.partition.engine.PartitionFiles;
import dev.weir.partition.entry.StoredFile;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Files of one partition and day that have to become one before readers can do without Weir's merging.
 *
 * @param day since 1970
 * @param keys in flush order, following one another
 */
public record Rewrite(int partition, long day, List<String> keys, long bytes) {
    /** Several files of a day that need it become one, with those between them, where that is no larger. */
    private static final long TOGETHER_BYTES_MAX = 256L << 20;

    public Rewrite {
        keys = List.copyOf(keys);
    }

    /** @param files of one group, in flush order */
    static List<Rewrite> needed(PartitionFiles partition, List<StoredFile> files, Predicate<StoredFile> hasOldTypes) {
        int together = lastRepeating(files) + 1;
        List<Rewrite> needed = new ArrayList<>();
        int first = files.size();
        int last = -1;
        if (together > 1) {
            // Which of the earlier files has the same points is not known.
            needed.add(of(partition.partition(), files.subList(0, together)));
            first = 0;
            last = together - 1;
        }
        for (int i = Math.max(last + 1, 0); i < files.size(); i++) {
            StoredFile file = files.get(i);
            if (partition.hasDeleted(file) || hasOldTypes.test(file)) {
                needed.add(of(partition.partition(), List.of(file)));
                first = Math.min(first, i);
                last = i;
            }
        }
        if (needed.size() < 2) {
            return needed;
        }
        Rewrite all = of(partition.partition(), files.subList(first, last + 1));
        return all.bytes() <= TOGETHER_BYTES_MAX ? List.of(all) : needed;
    }

    /** Behind the first, which repeats nothing that is still there; 0 where there is none. */
    private static int lastRepeating(List<StoredFile> files) {
        for (int i = files.size() - 1; i > 0; i--) {
            if (files.get(i).repeats()) {
                return i;
            }
        }
        return 0;
    }

    private static Rewrite of(int partition, List<StoredFile> files) {
        return new Rewrite(
                partition,
                FileGroup.of(partition, files.getFirst()).day(),
                files.stream().map(StoredFile::key).toList(),
                files.stream().mapToLong(StoredFile::bytes).sum());
    }
}
