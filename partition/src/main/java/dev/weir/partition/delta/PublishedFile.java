package dev.weir.partition.delta;

import io.delta.kernel.internal.actions.AddFile;
import io.delta.kernel.internal.util.VectorUtils;
import java.util.Map;

/**
 * A data file that a version of a Delta table names. Where it came from stands in the tags of its {@code add} action: {@code weir.partition},
 * {@code weir.day} (days since 1970), {@code weir.rows}, {@code weir.first-seq}, {@code weir.last-seq}, as {@link dev.weir.partition.entry.StoredFile} has it.
 */
record PublishedFile(FileGroup group, long rows, long firstSeq, long lastSeq, AddFile add) {
    private static final String PARTITION = "weir.partition";
    private static final String DAY = "weir.day";
    private static final String ROWS = "weir.rows";
    private static final String FIRST_SEQ = "weir.first-seq";
    private static final String LAST_SEQ = "weir.last-seq";

    static Map<String, String> tags(FileGroup group, long rows, long firstSeq, long lastSeq) {
        return Map.of(
                PARTITION, String.valueOf(group.partition()),
                DAY, String.valueOf(group.day()),
                ROWS, String.valueOf(rows),
                FIRST_SEQ, String.valueOf(firstSeq),
                LAST_SEQ, String.valueOf(lastSeq));
    }

    /** @throws IllegalArgumentException the action lacks our tags: another writer made it */
    static PublishedFile of(AddFile add) {
        Map<String, String> tags = add.getTags()
                .map(map -> VectorUtils.<String, String>toJavaMap(map))
                .orElse(Map.of());
        return new PublishedFile(
                new FileGroup((int) number(add, tags, PARTITION), number(add, tags, DAY)),
                number(add, tags, ROWS),
                number(add, tags, FIRST_SEQ),
                number(add, tags, LAST_SEQ),
                add);
    }

    /** Relative to the table's folder. */
    String path() {
        return add.getPath();
    }

    private static long number(AddFile add, Map<String, String> tags, String name) {
        String text = tags.get(name);
        if (text == null) {
            throw new IllegalArgumentException(
                    "file " + add.getPath() + " of a Delta log: expected tag " + name + ", found " + tags.keySet());
        }
        return Long.parseLong(text);
    }
}
