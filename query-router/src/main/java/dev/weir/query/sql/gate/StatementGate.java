package dev.weir.query.sql.gate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.partition.model.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Walks a whole tree and refuses every kind of node that it does not know: what is allowed is listed, nothing else gets through. A name in FROM is a
 * table of the tenant unless a WITH that is in sight declares it; so no name ever reaches DuckDB that was not resolved here.
 */
public final class StatementGate {
    private static final Set<String> QUERIES = Set.of("SELECT_NODE", "SET_OPERATION_NODE");
    private static final Set<String> REFERENCES =
            Set.of("BASE_TABLE", "SUBQUERY", "JOIN", "TABLE_FUNCTION", "EXPRESSION_LIST", "EMPTY");
    private static final Set<String> MODIFIERS =
            Set.of("ORDER_MODIFIER", "LIMIT_MODIFIER", "LIMIT_PERCENT_MODIFIER", "DISTINCT_MODIFIER");
    private static final Set<String> EXPRESSIONS = Set.of(
            "CONSTANT",
            "COLUMN_REF",
            "FUNCTION",
            "CAST",
            "COMPARISON",
            "CONJUNCTION",
            "OPERATOR",
            "CASE",
            "BETWEEN",
            "SUBQUERY",
            "WINDOW",
            "STAR",
            "LAMBDA",
            "TYPE");
    private static final Pattern WITH_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,63}");

    private final SelectTree tree;
    private final FunctionLimits limits;
    private final List<TableUse> uses = new ArrayList<>();

    private StatementGate(SelectTree tree) {
        this.tree = tree;
        this.limits = new FunctionLimits(tree);
    }

    /** The names that WITH declares, innermost last. */
    private record Scope(Set<String> names, boolean inWith) {
        boolean declares(String name) {
            return names.contains(name.toLowerCase(Locale.ROOT));
        }

        Scope with(String name) {
            Set<String> more = new java.util.HashSet<>(names);
            more.add(name.toLowerCase(Locale.ROOT));
            return new Scope(more, inWith);
        }
    }

    /**
     * The tables that it names, in the order of the text.
     *
     * @throws SqlRefusedException what is not allowed, and where
     */
    public static List<TableUse> check(SelectTree tree) {
        StatementGate gate = new StatementGate(tree);
        gate.query(tree.query(), new Scope(Set.of(), false));
        return gate.uses;
    }

    private void query(ObjectNode query, Scope outer) {
        if (!QUERIES.contains(Nodes.type(query))) {
            throw refused(query, Nodes.type(query).startsWith("RECURSIVE") ? "WITH RECURSIVE" : Nodes.type(query));
        }
        Scope scope = outer;
        for (JsonNode entry : query.path("cte_map").path("map")) {
            String name = entry.path("key").asText();
            if (!WITH_NAME.matcher(name).matches()) {
                throw SqlRefusedException.nowhere(
                        ErrorCode.NOT_ALLOWED,
                        "WITH " + name + ": expected a name of at most 64 letters, digits and underscores");
            }
            JsonNode value = entry.path("value");
            query((ObjectNode) value.path("query_node"), new Scope(scope.names(), true));
            anyOf(value.path("key_targets"), scope);
            anyOf(value.path("payload_aggregates"), scope);
            scope = scope.with(name);
        }
        for (var field : query.properties()) {
            switch (field.getKey()) {
                case "cte_map" -> {}
                case "from_table" -> from(query, field.getValue(), scope);
                default -> any(field.getValue(), scope);
            }
        }
    }

    private void any(JsonNode node, Scope scope) {
        if (node.isArray()) {
            anyOf(node, scope);
        } else if (node.isObject()) {
            object((ObjectNode) node, scope);
        }
    }

    private void anyOf(Iterable<JsonNode> nodes, Scope scope) {
        nodes.forEach(node -> any(node, scope));
    }

    private void object(ObjectNode node, Scope scope) {
        String type = Nodes.type(node);
        if (Nodes.isExpression(node)) {
            expression(node, scope);
        } else if (QUERIES.contains(type) || type.endsWith("_NODE")) {
            query(node, scope);
        } else if (type.isEmpty() || node.has("null_order") || MODIFIERS.contains(type)) {
            anyOf(node, scope);
        } else {
            throw refused(node, type);
        }
    }

    private void expression(ObjectNode node, Scope scope) {
        String kind = node.path("class").asText();
        switch (kind) {
            case "FUNCTION" -> function(node);
            case "WINDOW" -> window(node);
            case "TYPE" -> type(node);
            case "PARAMETER" -> throw refused(node, "a parameter (? or $1)");
            default -> {
                if (!EXPRESSIONS.contains(kind)) {
                    throw refused(node, kind.toLowerCase(Locale.ROOT));
                }
            }
        }
        anyOf(node, scope);
    }

    private void function(ObjectNode node) {
        String name = Nodes.function(node);
        boolean bare = node.path("schema").asText().isEmpty()
                && node.path("catalog").asText().isEmpty()
                && node.path("qualified_name").path("path").size() <= 1
                && !node.path("export_state").asBoolean();
        if (!bare || !AllowedFunctions.isCall(name)) {
            throw refused(node, "function " + name);
        }
        limits.check(node, name);
    }

    private void window(ObjectNode node) {
        String name = Nodes.function(node);
        boolean bare = node.path("schema").asText().isEmpty()
                && node.path("catalog").asText().isEmpty();
        if (!bare || !AllowedFunctions.isWindow(name)) {
            throw refused(node, "window function " + name);
        }
    }

    private void type(ObjectNode node) {
        String name = node.path("type_name").asText().toLowerCase(Locale.ROOT);
        boolean bare = node.path("schema").asText().isEmpty()
                && node.path("catalog").asText().isEmpty();
        if (!bare || !AllowedFunctions.TYPES.contains(name)) {
            throw refused(node, "type " + name);
        }
    }

    private void from(ObjectNode select, JsonNode reference, Scope scope) {
        if (reference.isObject()) {
            boolean alone = Nodes.type(reference).equals("BASE_TABLE");
            reference(select, (ObjectNode) reference, scope, alone, true);
        }
    }

    private void reference(ObjectNode select, ObjectNode node, Scope scope, boolean alone, boolean filtered) {
        String type = Nodes.type(node);
        if (!REFERENCES.contains(type)) {
            throw refused(node, type.equals("SHOW_REF") ? "DESCRIBE or SUMMARIZE" : type.toLowerCase(Locale.ROOT));
        }
        switch (type) {
            case "BASE_TABLE" -> table(select, node, scope, alone, filtered);
            case "TABLE_FUNCTION" -> tableFunction(node, scope);
            case "JOIN" -> {
                String join = node.path("join_type").asText();
                boolean asof = node.path("ref_type").asText().equals("ASOF");
                // Rows that stand at the same place belong together: none may be missing.
                boolean positional = node.path("ref_type").asText().equals("POSITIONAL");
                boolean left =
                        !positional && Set.of("INNER", "LEFT", "SEMI", "ANTI").contains(join);
                boolean right = !asof && !positional && Set.of("INNER", "RIGHT").contains(join);
                reference(select, (ObjectNode) node.get("left"), scope, false, filtered && left);
                reference(select, (ObjectNode) node.get("right"), scope, false, filtered && right);
                any(node.path("condition"), scope);
                any(node.path("duplicate_eliminated_columns"), scope);
                any(node.path("ranking_expression"), scope);
            }
            default -> anyOf(node, scope);
        }
    }

    private void table(ObjectNode select, ObjectNode node, Scope scope, boolean alone, boolean filtered) {
        String name = node.path("table_name").asText();
        String schema = node.path("schema_name").asText();
        if (!node.path("catalog_name").asText().isEmpty()
                || !(schema.isEmpty() || schema.equalsIgnoreCase("information_schema"))) {
            throw refused(
                    node,
                    "schema " + (schema.isEmpty() ? node.path("catalog_name").asText() : schema));
        }
        if (!node.path("at_clause").isNull() && !node.path("at_clause").isMissingNode()) {
            throw refused(node, "AT");
        }
        if (schema.isEmpty() && scope.declares(name)) {
            return;
        }
        uses.add(new TableUse(node, select, name, schema.toLowerCase(Locale.ROOT), alone, filtered, scope.inWith()));
    }

    private void tableFunction(ObjectNode node, Scope scope) {
        ObjectNode function = (ObjectNode) node.get("function");
        String name = Nodes.function(function);
        boolean bare = function.path("schema").asText().isEmpty()
                && function.path("catalog").asText().isEmpty();
        if (!bare || !Nodes.isClass(function, "FUNCTION") || !AllowedFunctions.TABLES.contains(name)) {
            throw refused(node, "table function " + name);
        }
        anyOf(function.path("arguments"), scope);
        any(node.path("sample"), scope);
    }

    private SqlRefusedException refused(JsonNode node, String what) {
        return new SqlRefusedException(
                ErrorCode.NOT_ALLOWED, what + " is not allowed here", tree.position(Nodes.location(node)));
    }
}
