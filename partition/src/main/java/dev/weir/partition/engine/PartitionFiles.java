package dev.weir.partition.engine;

import dev.weir.partition.entry.StoredFile;
import java.util.List;

/**
 * What one partition has of a table in files.
 *
 * @param throughSeq every event of the table before it is in the files, as far as a delete does not reach beyond them
 * @param files in order of flush
 * @param deletes that a file or the buffer may not reflect
 */
public record PartitionFiles(int partition, long throughSeq, List<StoredFile> files, List<DeleteRule> deletes) {
    public PartitionFiles {
        files = List.copyOf(files);
        deletes = List.copyOf(deletes);
    }

    /** A delete may hit rows of the file that are still in it: its seq says only when it was last repeated. */
    public boolean hasDeleted(StoredFile file) {
        return deletes.stream().anyMatch(rule -> rule.mayHit(file));
    }
}
