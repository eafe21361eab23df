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

    FileSet with(List<DeleteRule> later) {
        List<DeleteRule> all = new ArrayList<>(deletes);
        all.addAll(later);
        return new FileSet(flushedThrough, files, all);
    }

    /** Forgets deletes that the buffer and every file reflect. */
    private FileSet withoutDone() {
        List<DeleteRule> left = deletes.stream().filter(this::isInForce).toList();
        return left.size() == deletes.size() ? this : new FileSet(flushedThrough, files, left);
    }

    private boolean isInForce(DeleteRule rule) {
        return rule.seq() > flushedThrough
                || files.stream()
                        .anyMatch(file -> file.deletesThroughSeq() < rule.seq()
                                && file.firstSeq() < rule.seq()
                                && file.minTimestampNanos() <= rule.toNanos()
                                && file.maxTimestampNanos() >= rule.fromNanos());
    }
}
