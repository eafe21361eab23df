package dev.weir.node.letters;

import dev.weir.partition.model.RefusedException;
import dev.weir.partition.model.TableSchema;
import dev.weir.query.sql.image.TimeRange;

/** Whole rows of a tenant's tables: no column that one of them has is left out. Blocks; called on virtual threads. */
interface RowSource {
    /**
     * In its newest version.
     *
     * @throws RefusedException there is none
     */
    TableSchema table(String tenant, String name);

    /** Whether the tenant has a table of letters. */
    boolean hasLetters(String tenant);

    /**
     * The oldest rows of a range.
     *
     * @throws RefusedException they can't be read now
     */
    RowSlice oldest(String tenant, String name, RowRange range);

    /** All rows of a range. */
    long count(String tenant, String name, RowRange range);

    /** From the oldest to the newest row that is in no file yet. */
    TimeRange buffered(TableSchema table);
}
