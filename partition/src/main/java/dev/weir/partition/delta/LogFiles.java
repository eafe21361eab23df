package dev.weir.partition.delta;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The objects of a Delta log, as a listing has them.
 *
 * @param keys all of them
 */
record LogFiles(List<String> keys) {
    private static final Pattern COMMIT = Pattern.compile("/([0-9]{20})\\.json");
    private static final Pattern CHECKPOINT = Pattern.compile("/([0-9]{20})\\.checkpoint\\.parquet");

    boolean isEmpty() {
        return keys.isEmpty();
    }

    /** There is a newest version, and every one from the newest checkpoint, or from the first, up to it. */
    boolean isWhole() {
        TreeSet<Long> commits = versions(COMMIT);
        TreeSet<Long> checkpoints = versions(CHECKPOINT);
        if (commits.isEmpty()) {
            return false;
        }
        long first = checkpoints.isEmpty() ? 0 : checkpoints.last() + 1;
        Set<Long> needed = commits.tailSet(first);
        return commits.last() - first + 1 == needed.size();
    }

    @Override
    public String toString() {
        return "commits: " + words(versions(COMMIT)) + ", checkpoints: " + words(versions(CHECKPOINT));
    }

    private static String words(TreeSet<Long> versions) {
        return versions.isEmpty() ? "none" : versions.size() + " from " + versions.first() + " to " + versions.last();
    }

    private TreeSet<Long> versions(Pattern pattern) {
        TreeSet<Long> versions = new TreeSet<>();
        for (String key : keys) {
            Matcher name = pattern.matcher(key.substring(Math.max(0, key.lastIndexOf('/'))));
            if (name.matches()) {
                versions.add(Long.parseLong(name.group(1)));
            }
        }
        return versions;
    }
}
