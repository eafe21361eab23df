package dev.weir.query.sql.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.partition.model.ErrorCode;
import dev.weir.query.sql.gate.Aggregates;
import dev.weir.query.sql.gate.Nodes;
import dev.weir.query.sql.gate.SelectParser;
import dev.weir.query.sql.gate.SelectTree;
import dev.weir.query.sql.gate.SqlRefusedException;
import dev.weir.query.sql.image.TimeRange;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

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
    private final SelectTree tree;
    private final ObjectNode select;
    private final List<FilledQuery.Item> items = new ArrayList<>();
    private final List<JsonNode> modifiers = new ArrayList<>();
    private final List<JsonNode> bucketArguments = new ArrayList<>();
    private final int bucket;
    private final JsonNode time;
    private final TimeRange range;
    private final long stepNanos;
    private final boolean lookback;

    private GapFill(SelectTree tree, ObjectNode select, int bucket, Constants constants, long nowNanos) {
        this.tree = tree;
        this.select = select;
        this.bucket = bucket;
        ObjectNode call = (ObjectNode) select.path("select_list").get(bucket);
        this.time = Nodes.argument(call, 1);
        GapRange found = GapRange.of(tree, call, select.path("where_clause"), this::isTime, constants, nowNanos);
        this.range = found.times();
        this.stepNanos = found.stepNanos();
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
        boolean ordered = modifiers.stream().anyMatch(node -> Nodes.type(node).equals("ORDER_MODIFIER"));
        FilledQuery filled = new FilledQuery(items, bucket, range, stepNanos, lookback, ordered);
        ObjectNode composed = parser.parse(filled.text(parser.print(statement), bucketOfSample))
                .query();
        if (!modifiers.isEmpty()) {
            composed.putArray("modifiers").addAll(modifiers);
        }
        select.removeAll();
        select.setAll(composed);
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
        TimeFunctions.apply(around, LateTimes.NONE);
        return parser.printExpression(around.path("bucket"));
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
            FilledQuery.Kind kind = kind(item, i);
            if (kind == FilledQuery.Kind.LOCF && Nodes.arguments(item) == 2) {
                back = Math.max(
                        back,
                        constants
                                .width(Nodes.argument(item, 1))
                                .orElseThrow(
                                        () -> refused((ObjectNode) item, "locf: expected an interval to look back")));
            }
            items.add(new FilledQuery.Item(kind, name(item, i)));
        }
        int grouped = select.path("group_expressions").size();
        if (grouped != 0
                && grouped
                        != items.stream()
                                        .filter(item -> item.kind() == FilledQuery.Kind.KEY)
                                        .count()
                                + 1) {
            throw refused(
                    (ObjectNode) list.get(bucket),
                    "GROUP BY: expected every item of SELECT that is no aggregate, and no other");
        }
        if (back > 0) {
            lookFurtherBack(select.path("where_clause"), range.fromNanos() - back);
        }
        return back > 0;
    }

    private FilledQuery.Kind kind(JsonNode item, int place) {
        if (place == bucket) {
            return FilledQuery.Kind.BUCKET;
        }
        return switch (Nodes.function(item)) {
            case "locf" -> FilledQuery.Kind.LOCF;
            case "interpolate" -> FilledQuery.Kind.INTERPOLATE;
            default -> Aggregates.in(item) ? FilledQuery.Kind.VALUE : FilledQuery.Kind.KEY;
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
        if (GapRange.hasZone(call)) {
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
