package dev.weir.query.sql.gate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigInteger;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How DuckDB writes its tree as JSON: an expression has a {@code class}; a query, a table reference and a modifier have only a {@code type}.
 */
public final class Nodes {
    private static final BigInteger NOWHERE = new BigInteger("18446744073709551615");
    private static final JsonNodeFactory MAKE = JsonNodeFactory.instance;

    private Nodes() {}

    public static String type(JsonNode node) {
        return node.path("type").asText();
    }

    public static boolean isExpression(JsonNode node) {
        return node.has("class");
    }

    public static boolean isClass(JsonNode node, String name) {
        return node.path("class").asText().equals(name);
    }

    /** Byte of the statement where it begins; below 0: unknown. */
    public static int location(JsonNode node) {
        JsonNode location = node.path("query_location");
        return location.canConvertToInt() ? location.asInt() : -1;
    }

    /** The last part of a column's name, empty where the node is no column. */
    public static String columnName(JsonNode node) {
        JsonNode names = node.path("column_names");
        return names.isEmpty() ? "" : names.get(names.size() - 1).asText();
    }

    /** What stands before the column's name, empty where nothing does. */
    public static String qualifier(JsonNode node) {
        JsonNode names = node.path("column_names");
        return names.size() < 2 ? "" : names.get(names.size() - 2).asText();
    }

    /** The text of a string literal, also inside {@code TIMESTAMP '…'} and its like. */
    public static @Nullable String text(JsonNode node) {
        JsonNode literal = isClass(node, "CAST") ? node.path("child").path("literal") : node.path("literal");
        return literal.path("kind").asText().equals("STRING")
                ? literal.path("text").asText()
                : null;
    }

    /** Visits the constants that are string literals, in the order of the tree. */
    static void eachText(JsonNode node, Consumer<ObjectNode> use) {
        if (isClass(node, "CONSTANT") && text(node) != null) {
            use.accept((ObjectNode) node);
        }
        node.forEach(child -> eachText(child, use));
    }

    /** The name of a function, in lower case; empty where the node is none. */
    public static String function(JsonNode node) {
        return node.path("function_name").asText().toLowerCase(java.util.Locale.ROOT);
    }

    public static JsonNode argument(JsonNode function, int place) {
        return function.path("arguments").path(place).path("expression");
    }

    public static int arguments(JsonNode function) {
        return function.path("arguments").size();
    }

    public static ObjectNode number(long value) {
        return constant("INTEGER", Long.toString(value));
    }

    public static ObjectNode string(String value) {
        return constant("STRING", value);
    }

    public static ObjectNode column(String... names) {
        ObjectNode node = expression("COLUMN_REF", "COLUMN_REF");
        ArrayNode parts = node.putArray("column_names");
        List.of(names).forEach(parts::add);
        return node;
    }

    public static ObjectNode call(String name, JsonNode... arguments) {
        ObjectNode node = expression("FUNCTION", "FUNCTION");
        node.put("schema", "").put("catalog", "");
        node.putNull("filter");
        node.putObject("order_bys").put("type", "ORDER_MODIFIER").putArray("orders");
        node.put("distinct", false).put("is_operator", false).put("export_state", false);
        rename(node, name);
        setArguments(node, List.of(arguments));
        return node;
    }

    /** {@code make_timestamp_ns(nanos)}. */
    public static ObjectNode time(long nanos) {
        return call("make_timestamp_ns", number(nanos));
    }

    /** Whether a node is one that {@link #time} makes. */
    public static boolean isTime(JsonNode node) {
        return function(node).equals("make_timestamp_ns")
                && argument(node, 0).path("literal").path("kind").asText().equals("INTEGER");
    }

    /** Puts a condition that always holds in the place of another. */
    public static void makeTrue(ObjectNode condition) {
        ObjectNode comparison = expression("COMPARISON", "COMPARE_EQUAL");
        comparison.set("left", number(1));
        comparison.set("right", number(1));
        condition.removeAll();
        condition.setAll(comparison);
    }

    public static void rename(ObjectNode function, String name) {
        function.put("function_name", name);
        function.putObject("qualified_name").putArray("path").add(name);
    }

    public static void setArguments(ObjectNode function, List<? extends JsonNode> arguments) {
        ArrayNode array = function.putArray("arguments");
        for (JsonNode argument : arguments) {
            ObjectNode slot = array.addObject();
            slot.put("name", "");
            slot.set("expression", argument);
        }
    }

    /** Lets a table reference name another table; its alias stays, or becomes the old name. */
    public static void pointTo(ObjectNode table, String view) {
        if (table.path("alias").asText().isEmpty()) {
            table.put("alias", table.path("table_name").asText());
        }
        table.put("table_name", view).put("schema_name", "").put("catalog_name", "");
        table.putObject("qualified_name").putArray("path").add(view);
    }

    private static ObjectNode constant(String kind, String text) {
        ObjectNode node = expression("CONSTANT", "VALUE_CONSTANT");
        node.putObject("literal").put("kind", kind).put("text", text);
        return node;
    }

    private static ObjectNode expression(String clazz, String type) {
        ObjectNode node = MAKE.objectNode();
        node.put("class", clazz).put("type", type).put("alias", "");
        node.put("query_location", NOWHERE).put("query_location_length", 0);
        return node;
    }
}
