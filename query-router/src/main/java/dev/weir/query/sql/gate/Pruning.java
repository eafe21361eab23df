package dev.weir.query.sql.gate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.TableSchema;
import dev.weir.query.sql.image.TimeRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What the WHERE of a query implies for one table that it names: a time range and values of tags. Says only what must hold for a row to matter;
 * where it cannot tell, it says nothing.
 */
public final class Pruning {
    /** A bound may have been rounded to a microsecond. */
    private static final long SLACK_NANOS = 1_000;
    /** Beyond, one more or less may not be told apart. */
    private static final long FAR_NANOS = Long.MAX_VALUE - SLACK_NANOS;

    private static final Set<String> VOLATILE = Set.of("random", "uuid", "gen_random_uuid");

    private final Function<JsonNode, OptionalLong> clock;

    /** @param clock the time that an expression without columns stands for, empty where it cannot be told */
    public Pruning(Function<JsonNode, OptionalLong> clock) {
        this.clock = clock;
    }

    /**
     * What must hold.
     *
     * @param times wide enough for times that were rounded to a microsecond
     * @param exact what the settled conditions say, to the nanosecond
     * @param settled conditions of the WHERE that say nothing beyond {@code exact}
     */
    public record Bounds(TimeRange times, Map<String, List<String>> tags, TimeRange exact, List<ObjectNode> settled) {
        /** To be applied to the rows themselves: takes the settled conditions out of the WHERE. */
        public TimeRange settle() {
            settled.forEach(Nodes::makeTrue);
            return times.and(exact);
        }
    }

    public Bounds of(TableUse use, TableSchema schema) {
        Found found = Found.of(use, schema);
        if (use.filtered() && !use.renamesColumns() && !use.sampled()) {
            conjunct(use.select().path("where_clause"), found);
        }
        return new Bounds(
                new TimeRange(
                        saturated(found.times.fromNanos(), -SLACK_NANOS),
                        saturated(found.times.toNanos(), SLACK_NANOS)),
                found.tags,
                found.exact,
                found.settled);
    }

    /** What the conjuncts of a WHERE say about a column of times; exact to the nanosecond. */
    public TimeRange times(JsonNode where, Predicate<JsonNode> isTime) {
        Found found = new Found(isTime, node -> null);
        conjunct(where, found);
        return found.times;
    }

    private static final class Found {
        private final Predicate<JsonNode> isTime;
        private final Function<JsonNode, @Nullable String> tag;
        private TimeRange times = TimeRange.ALL;
        private TimeRange exact = TimeRange.ALL;
        private final Map<String, List<String>> tags = new HashMap<>();
        private final List<ObjectNode> settled = new ArrayList<>();

        Found(Predicate<JsonNode> isTime, Function<JsonNode, @Nullable String> tag) {
            this.isTime = isTime;
            this.tag = tag;
        }

        static Found of(TableUse use, TableSchema schema) {
            Map<String, String> tagNames = new HashMap<>();
            for (Column column : schema.columns()) {
                if (column.role() == ColumnRole.TAG) {
                    tagNames.merge(column.name().toLowerCase(Locale.ROOT), column.name(), (a, b) -> "");
                }
            }
            return new Found(node -> isOurs(use, node) && Nodes.columnName(node).equalsIgnoreCase("time"), node -> {
                String name = isOurs(use, node)
                        ? tagNames.getOrDefault(Nodes.columnName(node).toLowerCase(Locale.ROOT), "")
                        : "";
                return name.isEmpty() ? null : name;
            });
        }

        private static boolean isOurs(TableUse use, JsonNode node) {
            String qualifier = Nodes.qualifier(node);
            return Nodes.isClass(node, "COLUMN_REF")
                    && (qualifier.isEmpty() ? use.alone() : qualifier.equalsIgnoreCase(use.alias()));
        }

        boolean isTime(JsonNode node) {
            return isTime.test(node);
        }

        @Nullable
        String tag(JsonNode node) {
            return tag.apply(node);
        }

        void allow(String tag, List<String> values) {
            tags.merge(
                    tag,
                    values,
                    (known, more) -> known.stream().filter(more::contains).toList());
        }
    }

    private void conjunct(JsonNode node, Found found) {
        switch (Nodes.type(node)) {
            case "CONJUNCTION_AND" -> node.path("children").forEach(child -> conjunct(child, found));
            case "CONJUNCTION_OR" -> either(node, found);
            case "COMPARE_BETWEEN" -> {
                if (found.isTime(node.path("input"))) {
                    boolean settled = bound(found, "COMPARE_GREATERTHANOREQUALTO", node.path("lower"));
                    settled &= bound(found, "COMPARE_LESSTHANOREQUALTO", node.path("upper"));
                    settle(node, settled, found);
                }
            }
            case "COMPARE_IN" -> in(node, found);
            default -> {
                if (Nodes.isClass(node, "COMPARISON")) {
                    comparison(node, found);
                }
            }
        }
    }

    private void comparison(JsonNode node, Found found) {
        JsonNode left = node.path("left");
        JsonNode right = node.path("right");
        String type = Nodes.type(node);
        if (found.isTime(left)) {
            settle(node, bound(found, type, right), found);
        } else if (found.isTime(right)) {
            settle(node, bound(found, turned(type), left), found);
        } else if (type.equals("COMPARE_EQUAL")) {
            equal(left, right, found);
            equal(right, left, found);
        }
    }

    private static void equal(JsonNode column, JsonNode value, Found found) {
        String tag = found.tag(column);
        String text = Nodes.isClass(value, "CONSTANT") ? Nodes.text(value) : null;
        if (tag != null && text != null) {
            found.allow(tag, List.of(text));
        }
    }

    private void in(JsonNode node, Found found) {
        JsonNode children = node.path("children");
        String tag = found.tag(children.path(0));
        List<String> values = new ArrayList<>();
        for (int i = 1; i < children.size(); i++) {
            String text = Nodes.isClass(children.get(i), "CONSTANT") ? Nodes.text(children.get(i)) : null;
            if (text == null) {
                return;
            }
            values.add(text);
        }
        if (tag != null) {
            found.tags.putIfAbsent(tag, values);
        }
    }

    /** {@code host = 'a' OR host = 'b'}. */
    private static void either(JsonNode node, Found found) {
        String common = null;
        List<String> values = new ArrayList<>();
        for (JsonNode child : node.path("children")) {
            String tag = found.tag(child.path("left"));
            String text = Nodes.isClass(child.path("right"), "CONSTANT") ? Nodes.text(child.path("right")) : null;
            if (!Nodes.type(child).equals("COMPARE_EQUAL")
                    || tag == null
                    || text == null
                    || (common != null && !common.equals(tag))) {
                return;
            }
            common = tag;
            values.add(text);
        }
        if (common != null) {
            found.allow(common, values);
        }
    }

    private static void settle(JsonNode condition, boolean settled, Found found) {
        if (settled) {
            found.settled.add((ObjectNode) condition);
        }
    }

    /** True where the range says all that the comparison says. */
    private boolean bound(Found found, String type, JsonNode value) {
        OptionalLong known = isConstant(value) ? clock.apply(value) : OptionalLong.empty();
        if (known.isEmpty()) {
            return false;
        }
        long nanos = known.getAsLong();
        TimeRange range = switch (type) {
            case "COMPARE_GREATERTHAN" -> new TimeRange(saturated(nanos, 1), Long.MAX_VALUE);
            case "COMPARE_GREATERTHANOREQUALTO" -> new TimeRange(nanos, Long.MAX_VALUE);
            case "COMPARE_LESSTHAN" -> new TimeRange(Long.MIN_VALUE, saturated(nanos, -1));
            case "COMPARE_LESSTHANOREQUALTO" -> new TimeRange(Long.MIN_VALUE, nanos);
            case "COMPARE_EQUAL" -> new TimeRange(nanos, nanos);
            default -> TimeRange.ALL;
        };
        found.times = found.times.and(range);
        boolean settled = !range.equals(TimeRange.ALL) && Nodes.isTime(value) && Math.abs(nanos) < FAR_NANOS;
        if (settled) {
            found.exact = found.exact.and(range);
        }
        return settled;
    }

    private static boolean isConstant(JsonNode node) {
        return switch (node.path("class").asText()) {
            case "CONSTANT" -> true;
            case "CAST" -> isConstant(node.path("child"));
            case "FUNCTION" -> {
                for (int i = 0; i < Nodes.arguments(node); i++) {
                    if (!isConstant(Nodes.argument(node, i))) {
                        yield false;
                    }
                }
                yield !AllowedFunctions.isAggregate(Nodes.function(node)) && !VOLATILE.contains(Nodes.function(node));
            }
            default -> false;
        };
    }

    private static String turned(String type) {
        return switch (type) {
            case "COMPARE_GREATERTHAN" -> "COMPARE_LESSTHAN";
            case "COMPARE_GREATERTHANOREQUALTO" -> "COMPARE_LESSTHANOREQUALTO";
            case "COMPARE_LESSTHAN" -> "COMPARE_GREATERTHAN";
            case "COMPARE_LESSTHANOREQUALTO" -> "COMPARE_GREATERTHANOREQUALTO";
            default -> type;
        };
    }

    private static long saturated(long nanos, long by) {
        long sum = nanos + by;
        return ((nanos ^ sum) & (by ^ sum)) < 0 ? (by < 0 ? Long.MIN_VALUE : Long.MAX_VALUE) : sum;
    }
}
