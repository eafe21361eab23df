package dev.weir.query.sql.run;

import dev.weir.partition.model.Cursor;
import dev.weir.query.sql.image.ReadCut;
import java.util.List;
import java.util.Optional;

/**
 * What is known before the first row.
 *
 * @param cut what the rows reflect; empty where no table was read
 * @param commit where a change stands in the change stream; empty where nothing was changed
 */
public record ResultHead(List<ResultColumn> columns, Optional<ReadCut> cut, Optional<Cursor> commit) {
    /** Name and SQL type of a column. */
    public record ResultColumn(String name, String type) {}
}
