package dev.weir.partition.catalog;

import dev.weir.partition.model.TableSettings;

/**
 * What the catalog keeps of a table beside its schema; a table without a record has {@link TableSettings#DEFAULTS}.
 *
 * @param nextColumnId no column of the table has had this id or one above, dropped ones included; 0 where none above the schema's was dropped
 */
record TableRecord(int tableId, int nextColumnId, TableSettings settings) {
    static TableRecord none(int tableId) {
        return new TableRecord(tableId, 0, TableSettings.DEFAULTS);
    }
}
