package dev.weir.query.sql.statement;

import dev.weir.partition.model.Cursor;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A small answer.
 *
 * @param rows values in the order of the columns: Long, Double, Boolean, String, or null; a TIMESTAMP_NS is a Long
 * @param commit where the change stands in the change stream, for reading one's own writes
 */
public record StatementResult(List<Column> columns, List<@Nullable Object[]> rows, Optional<Cursor> commit) {
    /** @param type VARCHAR, BIGINT, DOUBLE, BOOLEAN or TIMESTAMP_NS */
    public record Column(String name, String type) {}

    public StatementResult {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
    }

    /** One row of one text. */
    public static StatementResult text(String column, String value) {
        return new StatementResult(
                List.of(new Column(column, "VARCHAR")),
                List.<@Nullable Object[]>of(new Object[] {value}),
                Optional.empty());
    }
}
