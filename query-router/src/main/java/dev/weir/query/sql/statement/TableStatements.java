package dev.weir.query.sql.statement;

import dev.weir.partition.model.Cursor;
import dev.weir.query.sql.image.CancelSignal;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Carries out statements on tables. Implemented in node. Fails with {@link dev.weir.partition.model.RefusedException}; a RuntimeException is a fault. Never
 * blocks the caller.
 */
public interface TableStatements {
    /** Completes when the effect is agreed (a delete: in every partition; a flush, a compaction: committed), with what is to be shown. */
    CompletionStage<StatementResult> execute(String tenant, Statement.OnTable statement, CancelSignal cancel);

    /**
     * The tenant's tables: name, schema_version, schema, columns, rows, files, bytes; the last three NULL where some partition has had no leader for a
     * while.
     */
    CompletionStage<StatementResult> tables(String tenant);

    /**
     * Writes rows as {@code /api/v1/write} would. Not one unit: a statement of many rows comes in several calls, one after the other, and rows that were
     * acknowledged stay when a later call fails.
     *
     * @param columns names of tags, fields, and {@code time}; where that is missing the clock is taken
     * @param rows per column Long, BigInteger (beyond int64), Double, Boolean, String or null (not set); {@code time}: a Long as {@code timeIsNanos} says, or a
     *     text in RFC 3339
     */
    CompletionStage<InsertOutcome> insert(String tenant, String table, List<String> columns, InsertRows rows);

    /**
     * Rows to insert.
     *
     * @param timeIsNanos a Long in {@code time} is nanoseconds since 1970 (it was a TIMESTAMP); else it counts the table's {@code time_unit}
     */
    record InsertRows(List<@Nullable Object[]> rows, boolean timeIsNanos) {}

    /**
     * @param stored rows that are durable
     * @param refused why rows are not, by their place in the call (from 0); the first 100
     */
    record InsertOutcome(long stored, List<RefusedRow> refused, Optional<Cursor> commit) {}

    record RefusedRow(int row, dev.weir.partition.model.Refusal refusal) {}
}
