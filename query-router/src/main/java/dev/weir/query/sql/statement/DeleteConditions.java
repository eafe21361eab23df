package dev.weir.query.sql.statement;

import dev.weir.query.sql.gate.TimeText;
import dev.weir.query.sql.image.TimeRange;
import dev.weir.query.sql.statement.grammar.WeirSqlParser.BetweenContext;
import dev.weir.query.sql.statement.grammar.WeirSqlParser.ComparisonContext;
import dev.weir.query.sql.statement.grammar.WeirSqlParser.ConditionContext;
import dev.weir.query.sql.statement.grammar.WeirSqlParser.DeleteContext;
import dev.weir.query.sql.statement.grammar.WeirSqlParser.LiteralContext;
import dev.weir.query.sql.statement.grammar.WeirSqlParser.MissingContext;
import dev.weir.query.sql.statement.grammar.WeirSqlParser.MomentContext;
import dev.weir.query.sql.statement.grammar.WeirSqlParser.NestedContext;
import dev.weir.query.sql.statement.grammar.WeirSqlParser.NumberContext;
import dev.weir.query.sql.statement.grammar.WeirSqlParser.OneOfContext;
import dev.weir.query.sql.statement.grammar.WeirSqlParser.TextContext;
import dev.weir.query.sql.statement.grammar.WeirSqlParser.TypedTimeContext;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The WHERE of DELETE: comparisons of {@code time}, and equality, IN or IS NULL of tags, all joined by AND. */
final class DeleteConditions {
    private final StatementBuilder builder;
    private final long nowNanos;
    private final Map<String, List<String>> tags = new HashMap<>();
    private TimeRange times = TimeRange.ALL;

    DeleteConditions(StatementBuilder builder, long nowNanos) {
        this.builder = builder;
        this.nowNanos = nowNanos;
    }

    Statement.Delete delete(DeleteContext node) {
        node.condition().forEach(this::condition);
        return new Statement.Delete(builder.name(node.table), times, tags, builder.position(node.table));
    }

    private void condition(ConditionContext node) {
        switch (node) {
            case NestedContext nested -> nested.condition().forEach(this::condition);
            case ComparisonContext comparison -> comparison(comparison);
            case BetweenContext between -> {
                if (!isTime(builder.name(between.column))) {
                    throw builder.refused(between, "BETWEEN: expected time, found " + between.column.getText());
                }
                times = times.and(new TimeRange(time(between.low), time(between.high)));
            }
            case OneOfContext oneOf ->
                tag(
                        oneOf,
                        builder.name(oneOf.column),
                        oneOf.literal().stream().map(this::text).toList());
            case MissingContext missing -> tag(missing, builder.name(missing.column), List.of(""));
            default -> throw new IllegalStateException("condition " + node);
        }
    }

    private void comparison(ComparisonContext node) {
        String column = builder.name(node.column);
        String operator = node.operator.getText();
        if (isTime(column)) {
            long nanos = time(node.literal());
            times = times.and(
                    switch (operator) {
                        case "=" -> new TimeRange(nanos, nanos);
                        case "<" ->
                            nanos == Long.MIN_VALUE ? new TimeRange(0, -1) : new TimeRange(Long.MIN_VALUE, nanos - 1);
                        case "<=" -> new TimeRange(Long.MIN_VALUE, nanos);
                        case ">" ->
                            nanos == Long.MAX_VALUE ? new TimeRange(0, -1) : new TimeRange(nanos + 1, Long.MAX_VALUE);
                        default -> new TimeRange(nanos, Long.MAX_VALUE);
                    });
        } else if (operator.equals("=")) {
            tag(node, column, List.of(text(node.literal())));
        } else {
            throw builder.refused(node, "DELETE: tags can be compared by = and IN alone, found " + operator);
        }
    }

    private void tag(ConditionContext node, String name, List<String> values) {
        if (isTime(name)) {
            throw builder.refused(node, "DELETE: time can be compared by =, <, <=, >, >= and BETWEEN alone");
        }
        tags.merge(
                name,
                values,
                (known, more) -> known.stream().filter(more::contains).toList());
    }

    private static boolean isTime(String column) {
        return column.equalsIgnoreCase("time");
    }

    private String text(LiteralContext node) {
        if (node instanceof TextContext text) {
            return StatementBuilder.unquoted(text.getText());
        }
        throw builder.refused(node, "a tag: expected a text in single quotes, found " + node.getText());
    }

    private long time(LiteralContext node) {
        return switch (node) {
            case TextContext text -> time(node, StatementBuilder.unquoted(text.getText()));
            case TypedTimeContext typed ->
                time(node, StatementBuilder.unquoted(typed.TEXT().getText()));
            case NumberContext number -> integer(number);
            case MomentContext moment -> moment(moment);
            default -> throw new IllegalStateException("literal " + node);
        };
    }

    private long time(LiteralContext node, String text) {
        return TimeText.nanos(text)
                .orElseThrow(() -> builder.refused(node, "time: expected RFC 3339 or nanoseconds, found " + text));
    }

    private long integer(NumberContext node) {
        try {
            return Long.parseLong(node.getText());
        } catch (NumberFormatException e) {
            throw builder.refused(node, "time: expected nanoseconds in 64 bits, found " + node.getText());
        }
    }

    private long moment(MomentContext node) {
        if (node.TEXT() == null) {
            return nowNanos;
        }
        String text = StatementBuilder.unquoted(node.TEXT().getText());
        Duration by = OptionValues.duration(text)
                .orElseThrow(() -> builder.refused(node, "interval: expected such as '2 days', found " + text));
        return node.sign.getText().equals("+") ? nowNanos + by.toNanos() : nowNanos - by.toNanos();
    }
}
