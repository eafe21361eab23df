package dev.weir.node.internal;

import dev.weir.partition.engine.RowPick;
import java.util.List;

/**
 * What a statement reads of one partition.
 *
 * @param tables each once
 */
public record ImageQuery(List<Table> tables) {
    public ImageQuery {
        tables = List.copyOf(tables);
    }

    /**
     * @param pick which rows matter
     * @param columns ids of the columns that are read of buffered rows
     * @param newest of each series only its newest row matters, unless that is later than what is picked
     */
    public record Table(int tableId, RowPick pick, List<Integer> columns, boolean newest) {
        public Table {
            columns = List.copyOf(columns);
        }
    }
}
