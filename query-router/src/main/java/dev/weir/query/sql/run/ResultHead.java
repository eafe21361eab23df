package dev.weir.query.sql.run;

import dev.weir.partition.model.Cursor;
import java.util.List;
import java.util.Optional;

/**
 * What is known before the first row.
 *
 * @param cut every event before it is reflected, none from it on; empty where no table was read
 * @param commit where a change stands in the change stream; empty where nothing was changed
 */
public record ResultHead(List<ResultColumn> columns, Optional<Cursor> cut, Optional<Cursor> commit) {
    /** Name and SQL type of a column. */
    public record ResultColumn(String name, String type) {}
}
