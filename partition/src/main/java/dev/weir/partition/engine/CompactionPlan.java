package dev.weir.partition.engine;

import dev.weir.partition.entry.StoredFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which files of a table become one: files of one UTC day that follow one another in flush order, since a row's one seq orders its fields only between
 * disjoint ranges of seqs. Pure.
 *
 * @param inputs at least two, in flush order
 * @param first they begin with the day's first file: no earlier one has points of theirs
 */
record CompactionPlan(List<StoredFile> inputs, boolean first) {
    /** So many small files of a day wait before they are merged. */
    static final int FILES_MIN = 6;

    /** An output is not merged further once it has so many bytes. */
    static final long TARGET_BYTES = 256L << 20;

    CompactionPlan {
        inputs = List.copyOf(inputs);
    }

    /**
     * What to merge now, at most one plan a day.
     *
     * @param all merges whatever is more than one file of a day, as far as {@link #TARGET_BYTES} allows
     */
    static List<CompactionPlan> of(List<StoredFile> files, boolean all) {
        Map<Long, List<StoredFile>> byDay = new TreeMap<>();
        for (StoredFile file : files) {
            byDay.computeIfAbsent(BufferedRows.dayOf(file.minTimestampNanos()), day -> new ArrayList<>())
                    .add(file);
        }
        List<CompactionPlan> plans = new ArrayList<>();
        for (List<StoredFile> day : byDay.values()) {
            int from = all ? wholeFrom(day) : tailFrom(day);
            if (day.size() - from >= (all ? 2 : FILES_MIN)) {
                plans.add(new CompactionPlan(day.subList(from, day.size()), from == 0));
            }
        }
        return plans;
    }

    /** The youngest files that together stay below the target. */
    private static int wholeFrom(List<StoredFile> day) {
        long bytes = 0;
        int from = day.size();
        while (from > 0 && bytes + day.get(from - 1).bytes() <= TARGET_BYTES) {
            bytes += day.get(--from).bytes();
        }
        return from;
    }

    /** A file joins those behind it where they have half its bytes or more: so a row is written again a few times, not with every merge. */
    private static int tailFrom(List<StoredFile> day) {
        int from = day.size() - 1;
        long behind = day.get(from).bytes();
        while (from > 0) {
            long next = day.get(from - 1).bytes();
            boolean joins = next <= 2 * behind || day.size() - from < FILES_MIN / 2;
            if (!joins || behind + next > TARGET_BYTES) {
                break;
            }
            from--;
            behind += next;
        }
        return from;
    }
}
