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
     */
    public record Table(int tableId, RowPick pick, List<Integer> columns) {
        public Table {
            columns = List.copyOf(columns);
        }
    }
}
