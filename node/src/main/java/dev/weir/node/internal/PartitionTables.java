package dev.weir.node.internal;

import dev.weir.partition.engine.DeleteRule;
import dev.weir.partition.entry.StoredFile;
import java.util.List;
import java.util.Optional;

/**
 * Tables of one partition at one cut, as they travel between nodes.
 *
 * @param nextSeq every event before it is reflected, none from it on
 * @param tables in the order of the query; empty where the partition has nothing of it
 */
public record PartitionTables(int partition, long nextSeq, List<Optional<Rows>> tables) {
    public PartitionTables {
        tables = List.copyOf(tables);
    }

    /**
     * @param files that may hold rows that were asked for
     * @param skipped files that were left out
     * @param deletes that files or buffered rows may not reflect
     */
    public record Rows(List<StoredFile> files, Skipped skipped, List<DeleteRule> deletes, Buffered buffered) {
        public Rows {
            files = List.copyOf(files);
            deletes = List.copyOf(deletes);
        }
    }

    /**
     * How many files can't hold what was asked for.
     *
     * @param byTime all their rows are older or newer
     * @param byTags no series of the partition has the tags
     * @param byNewest the newest row of each series is among those that travel as rows
     */
    public record Skipped(int byTime, int byTags, int byNewest) {}

    /**
     * Rows that no file holds, or that need no file to be read.
     *
     * @param minNanos smallest timestamp, as {@code maxNanos} without meaning where there are no rows
     * @param repeats some row's point may occur twice
     * @param columns ids of the columns in {@code arrow}, named {@code c<id>} there, besides time, _seq and _series_hash
     * @param arrow an Arrow IPC stream
     */
    public record Buffered(
            int rows, long minNanos, long maxNanos, long maxSeq, boolean repeats, List<Integer> columns, byte[] arrow) {
        public Buffered {
            columns = List.copyOf(columns);
        }
    }
}
