package dev.weir.partition.engine;

import dev.weir.partition.entry.StoredFile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A table's files in one partition, as far as its log has come. Immutable.
 *
 * @param flushedThrough events of the table up to this seq are in the files, as far as no later event undid them; 0 before the first flush
 * @param files in order of flush
 * @param deletes in force: those that a file or the buffer does not reflect yet, ascending by seq
 */
public record FileSet(long flushedThrough, List<StoredFile> files, List<DeleteRule> deletes) {
    public static final FileSet EMPTY = new FileSet(0, List.of(), List.of());

    /** So many deletes that a file does not reflect make queries slower than writing it again. */
    static final int DELETES_MAX = 16;

    public FileSet {
        files = List.copyOf(files);
        deletes = List.copyOf(deletes);
    }

    /** A flush was committed. */
    FileSet flushed(long through, List<StoredFile> more) {
        List<StoredFile> all = new ArrayList<>(files);
        all.addAll(more);
        return new FileSet(through, all, deletes).withoutDone();
    }

    /** Every one of these is among the files. */
    boolean holds(List<String> keys) {
        Set<String> known = new HashSet<>();
        files.forEach(file -> known.add(file.key()));
        return known.containsAll(keys);
    }

    /** Files became others, which take the place of the first of them. */
    FileSet compacted(List<String> inputs, List<StoredFile> outputs) {
        Set<String> gone = new HashSet<>(inputs);
        List<StoredFile> all = new ArrayList<>();
        boolean placed = false;
        for (StoredFile file : files) {
            if (!gone.contains(file.key())) {
                all.add(file);
            } else if (!placed) {
                all.addAll(outputs);
                placed = true;
            }
        }
        return new FileSet(flushedThrough, all, deletes).withoutDone();
    }

    /** Files of which deletes leave no row, in order of flush. */
    List<StoredFile> covered() {
        return files.stream().filter(this::isCovered).toList();
    }

    /** No row in a file is older, as far as deletes of all series up to a time tell; {@link Long#MAX_VALUE} where there is none. */
    long oldestNanos() {
        long oldest = Long.MAX_VALUE;
        for (StoredFile file : files) {
            if (!isCovered(file)) {
                oldest = Math.min(oldest, oldestNanos(file));
            }
        }
        return oldest;
    }

    /** The file holds rows that a delete took, or may hold some. */
    boolean hasDeleted(StoredFile file) {
        return deletes.stream().anyMatch(rule -> rule.mayHit(file));
    }

    /**
     * As {@link #hasDeleted}, and to be rid of them is worth reading and writing the file: one delete takes half of its time or more, or there are
     * {@link #DELETES_MAX}. Not where the rows before some time went, as by retention: what is left of such a file goes soon.
     */
    boolean isWorthCleaning(StoredFile file) {
        List<DeleteRule> here = deletes.stream()
                .filter(rule -> rule.mayHit(file) && rule.fromNanos() != Long.MIN_VALUE)
                .toList();
        return here.size() >= DELETES_MAX || here.stream().anyMatch(rule -> takesHalf(rule, file));
    }

    private static boolean takesHalf(DeleteRule rule, StoredFile file) {
        double from = Math.max(rule.fromNanos(), file.minTimestampNanos());
        double to = Math.min(rule.toNanos(), file.maxTimestampNanos());
        return rule.meansAll() && 2 * (to - from) >= (double) file.maxTimestampNanos() - file.minTimestampNanos();
    }

    private boolean isCovered(StoredFile file) {
        return deletes.stream()
                .anyMatch(rule -> rule.meansAll()
                        && rule.seq() > file.lastSeq()
                        && rule.fromNanos() <= file.minTimestampNanos()
                        && rule.toNanos() >= file.maxTimestampNanos());
    }

    private long oldestNanos(StoredFile file) {
        long oldest = file.minTimestampNanos();
        for (DeleteRule rule : deletes) {
            if (rule.meansAll()
                    && rule.seq() > file.lastSeq()
                    && rule.fromNanos() <= file.minTimestampNanos()
                    && rule.toNanos() < file.maxTimestampNanos()) {
                oldest = Math.max(oldest, rule.toNanos() + 1);
            }
        }
        return oldest;
    }

    /** A later delete of all that is old takes the place of earlier ones, else they would pile up while a file has old rows. */
    FileSet with(List<DeleteRule> later) {
        List<DeleteRule> all = new ArrayList<>(deletes);
        for (DeleteRule rule : later) {
            if (rule.meansAll() && rule.fromNanos() == Long.MIN_VALUE) {
                all.removeIf(rule::replaces);
            }
            all.add(rule);
        }
        return new FileSet(flushedThrough, files, all);
    }

    /** Forgets deletes that the buffer and every file reflect. */
    private FileSet withoutDone() {
        List<DeleteRule> left = deletes.stream().filter(this::isInForce).toList();
        return left.size() == deletes.size() ? this : new FileSet(flushedThrough, files, left);
    }

    private boolean isInForce(DeleteRule rule) {
        return rule.seq() > flushedThrough || files.stream().anyMatch(rule::mayHit);
    }
}
