package dev.weir.node.letters;

import dev.weir.node.sql.TagCombinations;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import dev.weir.query.sql.gate.SqlRefusedException;
import dev.weir.query.sql.image.TimeRange;
import dev.weir.query.sql.plan.Quoted;
import dev.weir.query.sql.plan.VisibleColumns;
import dev.weir.query.sql.statement.Statement;
import dev.weir.query.sql.statement.StatementParser;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Rows of a table that a DELETE could name.
 *
 * @param tags tag → values, one of which it must equal; all must hold
 */
record RowRange(TimeRange times, Map<String, List<String>> tags) {
    RowRange {
        tags = Map.copyOf(tags);
    }

    /**
     * @param condition as after WHERE of DELETE
     * @throws RefusedException it is none
     */
    static RowRange where(String table, String condition, long nowNanos) {
        try {
            Optional<Statement> parsed =
                    new StatementParser(nowNanos).parse("DELETE FROM " + Quoted.name(table) + " WHERE " + condition);
            if (parsed.isPresent() && parsed.get() instanceof Statement.Delete delete) {
                return new RowRange(delete.times(), delete.tags());
            }
        } catch (SqlRefusedException e) {
            throw bad(e.refusal().message());
        }
        throw bad("expected a condition");
    }

    private static RefusedException bad(String why) {
        return new RefusedException(Refusal.of(
                ErrorCode.BAD_REQUEST,
                "where: expected tags and times as in DELETE, such as host = 'a' AND time >= '2026-11-01T00:00:00Z'; "
                        + why));
    }

    /** No row can be meant. */
    boolean isEmpty() {
        return times.isEmpty() || tags.values().stream().anyMatch(List::isEmpty);
    }

    /** As {@link #where} takes it: the same range, whenever it is read. */
    String condition() {
        List<String> all = timeConditions();
        tags.forEach((tag, values) -> all.add(oneOf(tag, values)));
        return all.isEmpty() ? "time <= " + time(Long.MAX_VALUE) : String.join(" AND ", all);
    }

    private List<String> timeConditions() {
        List<String> all = new ArrayList<>();
        if (times.fromNanos() != Long.MIN_VALUE) {
            all.add("time >= " + time(times.fromNanos()));
        }
        if (times.toNanos() != Long.MAX_VALUE) {
            all.add("time <= " + time(times.toNanos()));
        }
        return all;
    }

    private static String oneOf(String column, List<String> values) {
        return Quoted.name(column) + " IN ("
                + String.join(", ", values.stream().map(Quoted::text).toList()) + ")";
    }

    List<List<Tag>> combinations() {
        return TagCombinations.of(tags);
    }

    /**
     * FROM and WHERE.
     *
     * @throws RefusedException the table has no such tag
     */
    String source(TableSchema table) {
        List<String> all = timeConditions();
        tags.forEach((tag, values) -> all.add(oneOf(shown(table, tag), values)));
        return " FROM " + Quoted.name(table.name()) + (all.isEmpty() ? "" : " WHERE " + String.join(" AND ", all));
    }

    private static String shown(TableSchema table, String tag) {
        return VisibleColumns.of(table).columns().stream()
                .filter(column -> column.isTag() && column.column().name().equals(tag))
                .map(VisibleColumns.Visible::name)
                .findFirst()
                .orElseThrow(() -> new RefusedException(
                        Refusal.of(ErrorCode.NOT_FOUND, "table " + table.name() + " has no tag " + tag)));
    }

    private static String time(long nanos) {
        return Quoted.text(Instant.ofEpochSecond(0, nanos).toString());
    }
}
