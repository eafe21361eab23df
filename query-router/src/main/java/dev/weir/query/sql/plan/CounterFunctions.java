package dev.weir.query.sql.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.FieldType;
import dev.weir.query.sql.gate.Nodes;
import dev.weir.query.sql.gate.SelectTree;
import dev.weir.query.sql.gate.SqlRefusedException;
import dev.weir.query.sql.gate.TableUse;
import dev.weir.query.sql.plan.VisibleColumns.Visible;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * {@code increase(v, time [, counter_max])}, {@code rate(…)} and {@code delta(v, time)}.
 *
 * <p>Over a field of a table that stands alone in FROM, each row has its step from the row before it of its series, and the functions sum steps: so
 * the parts of any grouping add up to the whole, also where a group begins at a reset. Over anything else they see the rows of their group alone, in
 * order of time.
 */
public final class CounterFunctions {
    private static final Set<String> NAMES = Set.of("increase", "rate", "delta");
    private static final Set<FieldType> NUMBERS = Set.of(FieldType.FLOAT64, FieldType.INT64, FieldType.UINT64);

    private final SelectTree tree;
    private final List<Step> steps = new ArrayList<>();

    private CounterFunctions(SelectTree tree) {
        this.tree = tree;
    }

    /** A column to add: the step of a field. */
    private record Step(Visible field, boolean delta, String counterMax) {}

    /** Rewrites the calls of one query over one table; gives what adds the columns that they then read, where there are any. */
    public static Optional<UnaryOperator<String>> overTable(SelectTree tree, TableUse use, VisibleColumns columns) {
        if (!use.alone() || use.renamesColumns()) {
            return Optional.empty();
        }
        CounterFunctions functions = new CounterFunctions(tree);
        functions.rewrite(use.select(), columns);
        List<Step> steps = functions.steps;
        return steps.isEmpty() ? Optional.empty() : Optional.of(rows -> withSteps(rows, steps, columns));
    }

    /** Rewrites the calls that {@link #overTable} left: those over rows that come from no table directly. */
    public static void overGroups(SelectTree tree) {
        CounterFunctions functions = new CounterFunctions(tree);
        TreeEdit.everywhere(tree.query(), node -> isCall(node) ? functions.overList(node) : node);
    }

    private static boolean isCall(JsonNode node) {
        return Nodes.isClass(node, "FUNCTION") && NAMES.contains(Nodes.function(node));
    }

    private void rewrite(ObjectNode select, VisibleColumns columns) {
        for (var field : select.properties()) {
            if (!field.getKey().equals("from_table") && !field.getKey().equals("cte_map")) {
                within(field.getValue(), columns);
            }
        }
    }

    private void within(JsonNode node, VisibleColumns columns) {
        if (Nodes.isClass(node, "SUBQUERY")) {
            return;
        }
        node.forEach(child -> within(child, columns));
        if (node instanceof ObjectNode call && isCall(call)) {
            field(call, columns).ifPresent(visible -> overSteps(call, visible));
        }
    }

    private static Optional<Visible> field(JsonNode call, VisibleColumns columns) {
        JsonNode value = Nodes.argument(call, 0);
        JsonNode time = Nodes.argument(call, 1);
        if (!Nodes.isClass(value, "COLUMN_REF")
                || !Nodes.isClass(time, "COLUMN_REF")
                || !Nodes.columnName(time).equalsIgnoreCase("time")) {
            return Optional.empty();
        }
        return columns.columns().stream()
                .filter(column -> column.name().equalsIgnoreCase(Nodes.columnName(value)))
                .filter(column -> NUMBERS.contains(column.column().type()))
                .findFirst();
    }

    private void overSteps(ObjectNode call, Visible field) {
        String name = Nodes.function(call);
        Step step = new Step(field, name.equals("delta"), counterMax(call));
        if (!steps.contains(step)) {
            steps.add(step);
        }
        int place = steps.indexOf(step);
        ObjectNode sum = aggregate(call, "sum", Nodes.column("_weir_step_" + place));
        ObjectNode result = name.equals("rate")
                ? Nodes.call(
                        "_weir_per_second",
                        sum,
                        aggregate(call, "max", Nodes.argument(call, 1)),
                        aggregate(call, "min", Nodes.column("_weir_prev_" + place)))
                : sum;
        become(call, result);
    }

    private ObjectNode overList(ObjectNode call) {
        String name = Nodes.function(call);
        String counterMax = counterMax(call);
        JsonNode time = Nodes.argument(call, 1);
        ObjectNode list = aggregate(call, "list", Nodes.argument(call, 0));
        ObjectNode order = JsonNodeFactory.instance.objectNode();
        order.put("type", "ORDER_DEFAULT").put("null_order", "ORDER_DEFAULT").set("expression", time.deepCopy());
        ((ObjectNode) list.get("order_bys")).putArray("orders").add(order);
        ObjectNode values = Nodes.call("list_filter", list, notNull());
        ObjectNode max = counterMax.equals("NULL") ? nothing() : Nodes.number(Long.parseLong(counterMax));
        ObjectNode result = switch (name) {
            case "delta" -> Nodes.call("_weir_list_delta", values);
            case "increase" -> Nodes.call("_weir_list_increase", values, max);
            default ->
                Nodes.call(
                        "_weir_per_second",
                        Nodes.call("_weir_list_increase", values, max),
                        aggregate(call, "max", time),
                        aggregate(call, "min", time));
        };
        become(call, result);
        return call;
    }

    private static ObjectNode aggregate(JsonNode call, String name, JsonNode argument) {
        ObjectNode aggregate = Nodes.call(name, argument.deepCopy());
        aggregate.set("filter", call.path("filter").deepCopy());
        return aggregate;
    }

    private static ObjectNode nothing() {
        ObjectNode constant = Nodes.number(0);
        constant.putObject("literal").put("kind", "NULL_LITERAL").put("text", "");
        return constant;
    }

    /** {@code lambda x: x IS NOT NULL}. */
    private static ObjectNode notNull() {
        ObjectNode lambda = JsonNodeFactory.instance.objectNode();
        ObjectNode test = JsonNodeFactory.instance.objectNode();
        test.put("class", "OPERATOR").put("type", "OPERATOR_IS_NOT_NULL").put("alias", "");
        test.putArray("children").add(Nodes.column("x"));
        lambda.put("class", "LAMBDA").put("type", "LAMBDA").put("alias", "").put("syntax_type", "LAMBDA_KEYWORD");
        lambda.set("lhs", Nodes.column("x"));
        lambda.set("expr", test);
        return lambda;
    }

    private String counterMax(JsonNode call) {
        int arguments = Nodes.arguments(call);
        boolean takesMax = !Nodes.function(call).equals("delta");
        if (arguments == 2) {
            return "NULL";
        }
        String literal = Nodes.argument(call, 2).path("literal").path("text").asText();
        if (arguments != 3 || !takesMax || !literal.matches("[1-9][0-9]{0,17}")) {
            throw new SqlRefusedException(
                    ErrorCode.BAD_REQUEST,
                    Nodes.function(call) + ": expected (value, time" + (takesMax ? " [, counter_max])" : ")")
                            + (takesMax
                                    ? ", counter_max being an integer literal: the largest value before it wraps"
                                    : ""),
                    tree.position(Nodes.location(call)));
        }
        return literal;
    }

    private static void become(ObjectNode call, ObjectNode result) {
        result.set("alias", call.path("alias"));
        result.set("query_location", call.path("query_location"));
        call.removeAll();
        call.setAll(result);
    }

    private static String withSteps(String rows, List<Step> steps, VisibleColumns columns) {
        List<String> items = new ArrayList<>(List.of("*"));
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            String value = "r." + Quoted.name(step.field.name());
            String before = "lag(" + value + " IGNORE NULLS) OVER w";
            items.add((step.delta
                            ? difference(step, value, before)
                            : "_weir_step(" + value + ", " + before + ", " + step.counterMax + ")")
                    + " AS _weir_step_" + i);
            items.add("lag(CASE WHEN " + value + " IS NOT NULL THEN r.\"time\" END IGNORE NULLS) OVER w AS _weir_prev_"
                    + i);
        }
        List<String> series =
                columns.tags().stream().map(tag -> "r." + Quoted.name(tag)).toList();
        String partition = series.isEmpty() ? "" : "PARTITION BY " + String.join(", ", series) + " ";
        return "SELECT " + String.join(", ", items) + " FROM (" + rows + ") r WINDOW w AS (" + partition
                + "ORDER BY r.\"time\")";
    }

    /** Unsigned values may fall. */
    private static String difference(Step step, String value, String before) {
        return step.field.column().type() == FieldType.UINT64
                ? "(" + value + "::HUGEINT - " + before + ")"
                : "(" + value + " - " + before + ")";
    }
}
