package dev.weir.query.sql.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.partition.model.ErrorCode;
import dev.weir.query.sql.gate.Aggregates;
import dev.weir.query.sql.gate.Nodes;
import dev.weir.query.sql.gate.Pruning;
import dev.weir.query.sql.gate.SelectParser;
import dev.weir.query.sql.gate.SelectTree;
import dev.weir.query.sql.gate.SqlRefusedException;
import dev.weir.query.sql.gate.TimeText;
import dev.weir.query.sql.image.TimeRange;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A query that groups by {@code time_bucket_gapfill(width, time [, zone] [, start, finish])}: a row for every bucket of the range, per group, whether
 * rows fall in it or not.
 *
 * <pre>
 * rows     the query as it stands, with time_bucket, grouped by bucket and keys
 * keys     the groups that occur in it
 * buckets  every bucket of [start, finish)
 * answer   buckets × keys, joined with rows; locf and interpolate are windows over it, per group in order of time
 * </pre>
 *
 * {@code locf(value, lookback)} reads back before the start: those rows form one bucket without a start (NULL), from which values are carried in.
 */
public final class GapFill {
    private static final long BUCKETS_MAX = 1_000_000;

    private final ObjectNode select;
    private final List<Item> items = new ArrayList<>();
    private final List<JsonNode> modifiers = new ArrayList<>();
    private final List<JsonNode> bucketArguments = new ArrayList<>();
    private final int bucket;
    private final JsonNode time;
    private final TimeRange range;
    private final long stepNanos;
    private final boolean lookback;

    /** What an item of the select list is. */
    private enum Kind {
        BUCKET,
        KEY,
        VALUE,
        LOCF,
        INTERPOLATE
    }

    private record Item(Kind kind, String name) {}

    /** How constants are evaluated. */
    public interface Constants extends Function<JsonNode, OptionalLong> {
        /** Nanoseconds of an interval. */
        OptionalLong width(JsonNode interval);
    }

    private final SelectTree tree;

    private GapFill(SelectTree tree, ObjectNode select, int bucket, Constants constants, long nowNanos) {
        this.tree = tree;
        this.select = select;
        this.bucket = bucket;
        ObjectNode call = (ObjectNode) select.path("select_list").get(bucket);
        this.time = Nodes.argument(call, 1);
        this.stepNanos = step(call, constants);
        this.range = range(call, constants, nowNanos);
        checkCount(call);
        this.lookback = items(constants);
        keepOrder();
        turnIntoBucket(call);
    }

    /**
     * The queries of a statement that fill gaps, inner ones first. Their WHERE is widened where they look back; the call becomes {@code time_bucket}.
     *
     * @throws SqlRefusedException where the range is not known, or the shape is one that cannot be filled
     */
    public static List<GapFill> find(SelectTree tree, Constants constants, long nowNanos) {
        List<GapFill> found = new ArrayList<>();
        find(tree, tree.query(), constants, nowNanos, found);
        refuseStray(tree, tree.query());
        return found;
    }

    private static void find(SelectTree tree, JsonNode node, Constants constants, long nowNanos, List<GapFill> found) {
        node.forEach(child -> find(tree, child, constants, nowNanos, found));
        JsonNode list = node.path("select_list");
        for (int i = 0; i < list.size(); i++) {
            if (Nodes.function(list.get(i)).equals("time_bucket_gapfill")) {
                found.add(new GapFill(tree, (ObjectNode) node, i, constants, nowNanos));
            }
        }
    }

    private static void refuseStray(SelectTree tree, JsonNode node) {
        String name = Nodes.function(node);
        if (name.equals("time_bucket_gapfill")) {
            throw new SqlRefusedException(
                    ErrorCode.BAD_REQUEST,
                    "time_bucket_gapfill: expected once, as an item of SELECT by itself",
                    tree.position(Nodes.location(node)));
        }
        node.forEach(child -> refuseStray(tree, child));
    }

    /** Turns the query, whose tables are views by now, into the one that fills. */
    public void compose(SelectParser parser) throws SQLException {
        ObjectNode rows = select.deepCopy();
        ArrayNode list = (ArrayNode) rows.get("select_list");
        String bucketOfSample = bucketOfMoment(parser);
        for (int i = 0; i < items.size(); i++) {
            list.set(i, inner(parser, (ObjectNode) list.get(i), i));
        }
        rows.putArray("modifiers");
        rows.putArray("group_expressions");
        rows.putArray("group_sets");
        rows.put("aggregate_handling", "FORCE_AGGREGATES");
        ObjectNode statement = tree.statement().deepCopy();
        statement.set("node", rows);
        ObjectNode filled =
                parser.parse(text(parser.print(statement), bucketOfSample)).query();
        if (!modifiers.isEmpty()) {
            filled.putArray("modifiers").addAll(modifiers);
        }
        select.removeAll();
        select.setAll(filled);
    }

    private String text(String rows, String bucketOfSample) {
        List<Integer> keys = places(Kind.KEY);
        String keyList = keys.stream().map(i -> "_g" + i).collect(Collectors.joining(", "));
        String keySource = keys.isEmpty() ? "SELECT 1 AS _none" : "SELECT DISTINCT " + keyList + " FROM _weir_rows";
        String buckets = "SELECT DISTINCT " + bucketOfSample + " AS _b FROM (SELECT range AS _s FROM range("
                + range.fromNanos() + ", " + range.toNanos() + ", " + stepNanos + ") UNION ALL SELECT "
                + range.toNanos() + ") q WHERE " + !range.isEmpty()
                + (lookback ? " UNION ALL SELECT NULL" : "");
        String on = "r._g" + bucket + " IS NOT DISTINCT FROM b._b"
                + keys.stream()
                        .map(i -> " AND r._g" + i + " IS NOT DISTINCT FROM k._g" + i)
                        .collect(Collectors.joining());
        String outputs = java.util.stream.IntStream.range(0, items.size())
                .mapToObj(i -> output(i) + " AS " + Quoted.name(items.get(i).name()))
                .collect(Collectors.joining(", "));
        String order = modifiers.stream().anyMatch(node -> Nodes.type(node).equals("ORDER_MODIFIER"))
                ? ""
                : " ORDER BY " + (keys.isEmpty() ? "" : keyList + ", ") + "_b";
        String keyColumns =
                keys.isEmpty() ? "" : ", " + keys.stream().map(i -> "k._g" + i).collect(Collectors.joining(", "));
        return "WITH _weir_rows AS MATERIALIZED (" + rows + "), _weir_keys AS (" + keySource + "), _weir_buckets AS ("
                + buckets
                + ") SELECT * EXCLUDE (_b" + (keys.isEmpty() ? "" : ", " + keyList) + ") FROM (SELECT " + outputs
                + ", b._b" + keyColumns
                + " FROM _weir_buckets b CROSS JOIN _weir_keys k LEFT JOIN _weir_rows r ON " + on
                + ") f WHERE _b IS NOT NULL" + order;
    }

    private List<Integer> places(Kind kind) {
        return java.util.stream.IntStream.range(0, items.size())
                .filter(i -> items.get(i).kind() == kind)
                .boxed()
                .toList();
    }

    private String output(int i) {
        String value = "r._g" + i;
        List<Integer> keys = places(Kind.KEY);
        String group = keys.isEmpty()
                ? ""
                : "PARTITION BY " + keys.stream().map(k -> "k._g" + k).collect(Collectors.joining(", ")) + " ";
        String before =
                " OVER (" + group + "ORDER BY b._b NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)";
        String after =
                " OVER (" + group + "ORDER BY b._b NULLS FIRST ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)";
        String at = "CASE WHEN " + value + " IS NOT NULL THEN epoch_ns(b._b) END";
        return switch (items.get(i).kind()) {
            case BUCKET -> "b._b";
            case KEY -> "k._g" + i;
            case VALUE -> value;
            case LOCF -> "last_value(" + value + " IGNORE NULLS)" + before;
            case INTERPOLATE -> {
                String v0 = "last_value(" + value + " IGNORE NULLS)" + before;
                String v1 = "first_value(" + value + " IGNORE NULLS)" + after;
                String t0 = "last_value(" + at + " IGNORE NULLS)" + before;
                String t1 = "first_value(" + at + " IGNORE NULLS)" + after;
                yield "coalesce(" + value + "::DOUBLE, " + v0 + " + (" + v1 + " - " + v0
                        + ")::DOUBLE * (epoch_ns(b._b) - " + t0 + ") / nullif(" + t1 + " - " + t0 + ", 0))";
            }
        };
    }

    private JsonNode inner(SelectParser parser, ObjectNode item, int place) throws SQLException {
        ObjectNode expression = switch (items.get(place).kind()) {
            case LOCF, INTERPOLATE -> (ObjectNode) Nodes.argument(item, 0);
            case BUCKET ->
                lookback
                        ? parser.expression("CASE WHEN (" + parser.printExpression(time) + ") >= make_timestamp_ns("
                                + range.fromNanos() + ") THEN " + parser.printExpression(item) + " END")
                        : item;
            case KEY, VALUE -> item;
        };
        ObjectNode named = expression.deepCopy();
        named.put("alias", "_g" + place);
        return named;
    }

    /** The bucket of a moment {@code _s}. */
    private String bucketOfMoment(SelectParser parser) throws SQLException {
        List<JsonNode> arguments = new ArrayList<>(bucketArguments);
        arguments.set(1, Nodes.call("make_timestamp_ns", Nodes.column("_s")));
        ObjectNode around = JsonNodeFactory.instance.objectNode();
        around.set("bucket", Nodes.call("time_bucket", arguments.toArray(JsonNode[]::new)));
        TimeFunctions.apply(around);
        return parser.printExpression(around.path("bucket"));
    }

    private long step(ObjectNode call, Constants constants) {
        long width = constants
                .width(Nodes.argument(call, 0))
                .orElseThrow(() -> refused(call, "expected a width, such as INTERVAL '1 hour'"));
        if (width <= 0) {
            throw refused(call, "expected a positive width");
        }
        return Math.max(1, width / 4);
    }

    /** Both ends included, exact. */
    private TimeRange range(ObjectNode call, Constants constants, long nowNanos) {
        int given = zone(call) == null ? 2 : 3;
        if (Nodes.arguments(call) == given + 2) {
            long start = moment(call, Nodes.argument(call, given), constants);
            long finish = moment(call, Nodes.argument(call, given + 1), constants);
            return new TimeRange(start, finish - 1);
        }
        if (Nodes.arguments(call) != given) {
            throw refused(call, "expected (width, time [, zone] [, start, finish])");
        }
        TimeRange where = new Pruning(constants).times(select.path("where_clause"), this::isTime);
        if (where.fromNanos() == Long.MIN_VALUE) {
            throw refused(call, "expected a start: time >= … in WHERE, or start and finish as arguments");
        }
        return where.toNanos() == Long.MAX_VALUE ? new TimeRange(where.fromNanos(), nowNanos) : where;
    }

    private long moment(ObjectNode call, JsonNode node, Constants constants) {
        String text = Nodes.text(node);
        OptionalLong nanos = text == null ? constants.apply(node) : TimeText.nanos(text);
        return nanos.orElseThrow(() -> refused(call, "start and finish: expected times that no column is part of"));
    }

    private void checkCount(ObjectNode call) {
        double buckets = ((double) range.toNanos() - (double) range.fromNanos()) / stepNanos / 4;
        if (buckets > BUCKETS_MAX) {
            throw new SqlRefusedException(
                    ErrorCode.LIMIT_QUERY,
                    "time_bucket_gapfill: the range has more than " + BUCKETS_MAX + " buckets",
                    tree.position(Nodes.location(call)));
        }
    }

    private static @Nullable String zone(JsonNode call) {
        JsonNode third = Nodes.argument(call, 2);
        String text = Nodes.isClass(third, "CONSTANT") ? Nodes.text(third) : null;
        return text == null || TimeText.nanos(text).isPresent() ? null : text;
    }

    private boolean isTime(JsonNode node) {
        return Nodes.isClass(node, "COLUMN_REF")
                && Nodes.isClass(time, "COLUMN_REF")
                && Nodes.columnName(node).equalsIgnoreCase(Nodes.columnName(time));
    }

    /** Whether any item looks back; then the WHERE does. */
    private boolean items(Constants constants) {
        long back = 0;
        JsonNode list = select.path("select_list");
        for (int i = 0; i < list.size(); i++) {
            JsonNode item = list.get(i);
            Kind kind = kind(item, i);
            if (kind == Kind.LOCF && Nodes.arguments(item) == 2) {
                back = Math.max(
                        back,
                        constants
                                .width(Nodes.argument(item, 1))
                                .orElseThrow(
                                        () -> refused((ObjectNode) item, "locf: expected an interval to look back")));
            }
            items.add(new Item(kind, name(item, i)));
        }
        int grouped = select.path("group_expressions").size();
        if (grouped != 0 && grouped != places(Kind.KEY).size() + 1) {
            throw refused(
                    (ObjectNode) list.get(bucket),
                    "GROUP BY: expected every item of SELECT that is no aggregate, and no other");
        }
        if (back > 0) {
            lookFurtherBack(select.path("where_clause"), range.fromNanos() - back);
        }
        return back > 0;
    }

    private Kind kind(JsonNode item, int place) {
        if (place == bucket) {
            return Kind.BUCKET;
        }
        return switch (Nodes.function(item)) {
            case "locf" -> Kind.LOCF;
            case "interpolate" -> Kind.INTERPOLATE;
            default -> Aggregates.in(item) ? Kind.VALUE : Kind.KEY;
        };
    }

    private static String name(JsonNode item, int place) {
        String alias = item.path("alias").asText();
        if (!alias.isEmpty()) {
            return alias;
        }
        if (Nodes.isClass(item, "COLUMN_REF")) {
            return Nodes.columnName(item);
        }
        String function = Nodes.function(item);
        return function.isEmpty() ? "column_" + (place + 1) : function;
    }

    private void lookFurtherBack(JsonNode node, long from) {
        switch (Nodes.type(node)) {
            case "CONJUNCTION_AND" -> node.path("children").forEach(child -> lookFurtherBack(child, from));
            case "COMPARE_GREATERTHAN", "COMPARE_GREATERTHANOREQUALTO" ->
                move((ObjectNode) node, "left", "right", from);
            case "COMPARE_LESSTHAN", "COMPARE_LESSTHANOREQUALTO" -> move((ObjectNode) node, "right", "left", from);
            case "COMPARE_BETWEEN" -> move((ObjectNode) node, "input", "lower", from);
            default -> {}
        }
    }

    private void move(ObjectNode node, String column, String bound, long from) {
        if (isTime(node.path(column))) {
            node.set(bound, Nodes.time(from));
        }
    }

    /** ORDER BY, LIMIT and DISTINCT hold for the filled rows; there the items are known by their names alone. */
    private void keepOrder() {
        JsonNode list = select.path("select_list");
        for (JsonNode modifier : select.path("modifiers")) {
            for (JsonNode order : modifier.path("orders")) {
                for (int i = 0; i < items.size(); i++) {
                    if (same(order.path("expression"), list.get(i))) {
                        ((ObjectNode) order)
                                .set("expression", Nodes.column(items.get(i).name()));
                    }
                }
            }
            modifiers.add(modifier.deepCopy());
        }
    }

    private static boolean same(JsonNode one, JsonNode other) {
        return plain(one).equals(plain(other));
    }

    private static JsonNode plain(JsonNode node) {
        JsonNode copy = node.deepCopy();
        strip(copy);
        return copy;
    }

    private static void strip(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.remove(List.of("query_location", "query_location_length", "alias"));
        }
        node.forEach(GapFill::strip);
    }

    private void turnIntoBucket(ObjectNode call) {
        bucketArguments.addAll(List.of(Nodes.argument(call, 0), time));
        if (zone(call) != null) {
            bucketArguments.add(Nodes.argument(call, 2));
        }
        Nodes.rename(call, "time_bucket");
        Nodes.setArguments(call, bucketArguments);
    }

    private SqlRefusedException refused(ObjectNode node, String message) {
        return new SqlRefusedException(
                ErrorCode.BAD_REQUEST, "time_bucket_gapfill: " + message, tree.position(Nodes.location(node)));
    }
}
