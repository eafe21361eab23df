package dev.weir.partition.engine;

import java.util.List;
import java.util.Optional;

/**
 * Tables of one partition at one point of its log.
 *
 * @param nextSeq the cut: every event before it is reflected, none from it on
 * @param tables in the order in which they were asked for; empty where this log knows no such table, or its drop
 */
public record PartitionImage(int partition, long nextSeq, List<Optional<TableImage>> tables) {
    public PartitionImage {
        tables = List.copyOf(tables);
    }

    /**
     * A table that is wanted.
     *
     * @param newest of each series only its newest row matters, if that is within the pick's times
     */
    public record Need(int tableId, RowPick pick, boolean newest) {}
}
