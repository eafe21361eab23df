package dev.weir.partition.engine;

import dev.weir.partition.entry.StoredFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Which files of a table become one: files of one UTC day that follow one another in flush order, since a row's one seq orders its fields only between
 * disjoint ranges of seqs. Pure.
 *
 * @param inputs in flush order; one alone is written again without what was deleted or dropped, in the types of today
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
     * What to do without being asked, at most one merge a day.
     *
     * @param again files to write again though there is nothing to merge them with
     */
    static List<CompactionPlan> due(List<StoredFile> files, Predicate<StoredFile> again) {
        List<CompactionPlan> plans = new ArrayList<>();
        for (List<StoredFile> day : byDay(files)) {
            int from = tailFrom(day);
            addDay(plans, day, day.size() - from >= FILES_MIN ? from : day.size(), again);
        }
        return plans;
    }

    /** Merges whatever is more than one file of a day, as far as {@link #TARGET_BYTES} allows; otherwise as {@link #due}. */
    static List<CompactionPlan> all(List<StoredFile> files, Predicate<StoredFile> again) {
        List<CompactionPlan> plans = new ArrayList<>();
        for (List<StoredFile> day : byDay(files)) {
            int from = wholeFrom(day);
            addDay(plans, day, day.size() - from >= 2 ? from : day.size(), again);
        }
        return plans;
    }

    /** @param mergeFrom from here on the day's files are merged; its size where none are */
    private static void addDay(
            List<CompactionPlan> plans, List<StoredFile> day, int mergeFrom, Predicate<StoredFile> again) {
        for (int i = 0; i < mergeFrom; i++) {
            if (again.test(day.get(i))) {
                plans.add(new CompactionPlan(day.subList(i, i + 1), i == 0));
            }
        }
        if (mergeFrom < day.size()) {
            plans.add(new CompactionPlan(day.subList(mergeFrom, day.size()), mergeFrom == 0));
        }
    }

    private static List<List<StoredFile>> byDay(List<StoredFile> files) {
        Map<Long, List<StoredFile>> byDay = new TreeMap<>();
        for (StoredFile file : files) {
            byDay.computeIfAbsent(BufferedRows.dayOf(file.minTimestampNanos()), day -> new ArrayList<>())
                    .add(file);
        }
        return List.copyOf(byDay.values());
    }

    /** Exactly these; empty where they are not all there, or do not follow one another within a day. */
    static Optional<CompactionPlan> ofKeys(List<StoredFile> files, List<String> keys) {
        if (keys.isEmpty()) {
            return Optional.empty();
        }
        Optional<StoredFile> first = files.stream()
                .filter(file -> file.key().equals(keys.getFirst()))
                .findFirst();
        List<StoredFile> day = first.map(file -> ofDay(files, file)).orElse(List.of());
        int from = first.map(day::indexOf).orElse(0);
        int to = from + keys.size();
        boolean there = to <= day.size()
                && day.subList(from, to).stream().map(StoredFile::key).toList().equals(keys);
        return there ? Optional.of(new CompactionPlan(day.subList(from, to), from == 0)) : Optional.empty();
    }

    private static List<StoredFile> ofDay(List<StoredFile> files, StoredFile as) {
        long day = BufferedRows.dayOf(as.minTimestampNanos());
        return files.stream()
                .filter(file -> BufferedRows.dayOf(file.minTimestampNanos()) == day)
                .toList();
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
