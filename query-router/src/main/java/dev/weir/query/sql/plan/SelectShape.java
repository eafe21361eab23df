package dev.weir.query.sql.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.query.sql.gate.Aggregates;
import dev.weir.query.sql.gate.Nodes;
import dev.weir.query.sql.gate.TableUse;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The parts of a SELECT over one table, with names resolved as DuckDB does: what the SELECT list calls like a column is not that column in ORDER BY. */
final class SelectShape {
    /** Functions that give as many rows as a list has elements, or none. */
    private static final Set<String> ROW_MAKERS = Set.of("unnest", "generate_subscripts");

    private final TableUse use;
    private final ObjectNode select;

    SelectShape(TableUse use) {
        this.use = use;
        this.select = use.select();
    }

    /** Nothing else is in its FROM, and no row is drawn or left out but by the WHERE, DISTINCT and LIMIT. */
    boolean isPlain() {
        return use.alone()
                && !use.renamesColumns()
                && isNothing(select, "having", "qualify", "sample")
                && isNothing(use.reference(), "sample");
    }

    boolean groups() {
        return !isNothing(select, "group_expressions", "group_sets");
    }

    JsonNode items() {
        return select.path("select_list");
    }

    JsonNode where() {
        return select.path("where_clause");
    }

    JsonNode grouped() {
        return select.path("group_expressions");
    }

    /** Types of what follows the WHERE: DISTINCT, ORDER BY, LIMIT. */
    Set<String> modifiers() {
        Set<String> types = new HashSet<>();
        select.path("modifiers").forEach(modifier -> types.add(Nodes.type(modifier)));
        return types;
    }

    List<JsonNode> orders() {
        List<JsonNode> orders = new ArrayList<>();
        select.path("modifiers").forEach(modifier -> modifier.path("orders").forEach(orders::add));
        return orders;
    }

    /** Names of columns after DISTINCT ON; an empty one among them where something else stands there. */
    Set<String> distinctOn() {
        Set<String> names = new HashSet<>();
        for (JsonNode modifier : select.path("modifiers")) {
            modifier.path("distinct_on_targets").forEach(target -> names.add(outer(target)));
        }
        return names;
    }

    /** {@code LIMIT 1}, and no OFFSET. */
    boolean endsAfterOne() {
        for (JsonNode modifier : select.path("modifiers")) {
            if (Nodes.type(modifier).equals("LIMIT_MODIFIER")) {
                return modifier.path("limit")
                                .path("literal")
                                .path("text")
                                .asText()
                                .equals("1")
                        && isNothing(modifier, "offset");
            }
        }
        return false;
    }

    /** Some item of the SELECT list or the order is not of its row alone, or makes several rows of one. */
    boolean seesOtherRows() {
        return seesOtherRows(items()) || orders().stream().anyMatch(SelectShape::seesOtherRows);
    }

    /** A column's name in lower case; empty where it is none of this table. */
    String own(JsonNode node) {
        String qualifier = Nodes.qualifier(node);
        boolean ours =
                Nodes.isClass(node, "COLUMN_REF") && (qualifier.isEmpty() || qualifier.equalsIgnoreCase(use.alias()));
        return ours ? Nodes.columnName(node).toLowerCase(Locale.ROOT) : "";
    }

    /** As {@link #own}, of a name in ORDER BY or DISTINCT ON. */
    String outer(JsonNode node) {
        String name = own(node);
        return Nodes.qualifier(node).isEmpty() && isRenamed(name) ? "" : name;
    }

    /** Whether an expression looks at these columns alone. */
    boolean isOf(JsonNode node, Set<String> names) {
        // A star stands for columns by pattern.
        if (Nodes.isClass(node, "SUBQUERY")
                || Nodes.isClass(node, "STAR")
                || (Nodes.isClass(node, "COLUMN_REF") && !names.contains(own(node)))) {
            return false;
        }
        for (JsonNode child : node) {
            if (!isOf(child, names)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the SELECT list calls something else by a column's name. */
    boolean isRenamed(String name) {
        for (JsonNode item : items()) {
            if (!Nodes.isClass(item, "STAR") && hasStar(item)) {
                return true; // called after the columns that it stands for
            }
            boolean other = item.path("alias").asText().equalsIgnoreCase(name)
                    && !own(item).equals(name);
            if (other || (Nodes.isClass(item, "STAR") && !isNothing(item, "replace_list", "rename_list"))) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasStar(JsonNode node) {
        if (Nodes.isClass(node, "STAR")) {
            return true;
        }
        for (JsonNode child : node) {
            if (hasStar(child)) {
                return true;
            }
        }
        return false;
    }

    private static boolean seesOtherRows(JsonNode node) {
        if (Nodes.isClass(node, "WINDOW")
                || Nodes.isClass(node, "SUBQUERY")
                || Aggregates.in(node)
                || ROW_MAKERS.contains(Nodes.function(node))) {
            return true;
        }
        for (JsonNode child : node) {
            if (seesOtherRows(child)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isNothing(JsonNode node, String... fields) {
        for (String field : fields) {
            JsonNode value = node.path(field);
            if (!value.isNull() && !value.isMissingNode() && !value.isEmpty()) {
                return false;
            }
        }
        return true;
    }
}
