package dev.weir.query.sql.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.query.sql.gate.Aggregates;
import dev.weir.query.sql.gate.Nodes;
import dev.weir.query.sql.gate.TableUse;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * {@code SELECT DISTINCT ON (tags) … FROM t ORDER BY tags, time DESC}: the newest row of each. Only rows at the largest time of their tags can come out,
 * and that time is found by reading few columns; so the others are left out before DuckDB sorts whole rows.
 */
public final class NewestRows {
    private NewestRows() {}

    /** The tags of which only the newest rows matter at this place; empty where all rows may. */
    public static List<String> tags(TableUse use, VisibleColumns columns) {
        ObjectNode select = use.select();
        Set<String> tags =
                columns.tags().stream().map(tag -> tag.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
        Set<String> distinct = new HashSet<>();
        JsonNode order = null;
        for (JsonNode modifier : select.path("modifiers")) {
            for (JsonNode target : modifier.path("distinct_on_targets")) {
                distinct.add(own(target, use));
            }
            order = Nodes.type(modifier).equals("ORDER_MODIFIER") ? modifier.path("orders") : order;
        }
        boolean plain = use.alone()
                && !use.renamesColumns()
                && isNothing(select, "group_expressions", "group_sets", "having", "qualify", "sample")
                && isNothing(use.reference(), "sample")
                && !seesOtherRows(select.path("select_list"));
        if (!plain
                || distinct.isEmpty()
                || order == null
                || !tags.containsAll(distinct)
                || !isNewestFirst(order, distinct, use)
                || !isOf(select.path("where_clause"), distinct, use)) {
            return List.of();
        }
        return columns.tags().stream()
                .filter(tag -> distinct.contains(tag.toLowerCase(Locale.ROOT)))
                .toList();
    }

    /** @param rows a SELECT that can be read twice */
    public static String of(String rows, List<String> tags) {
        List<String> keys = tags.stream().map(Quoted::name).toList();
        String on = keys.stream()
                .map(key -> "r." + key + " IS NOT DISTINCT FROM m." + key)
                .collect(Collectors.joining(" AND "));
        return "SELECT r.* FROM (" + rows + ") r SEMI JOIN (SELECT " + String.join(", ", keys)
                + ", max(\"time\") AS \"time\" FROM (" + rows + ") s GROUP BY " + String.join(", ", keys) + ") m ON "
                + on + " AND r.\"time\" = m.\"time\"";
    }

    /** A column's name in lower case; empty where it is none of this table. */
    private static String own(JsonNode node, TableUse use) {
        String qualifier = Nodes.qualifier(node);
        boolean ours =
                Nodes.isClass(node, "COLUMN_REF") && (qualifier.isEmpty() || qualifier.equalsIgnoreCase(use.alias()));
        return ours ? Nodes.columnName(node).toLowerCase(Locale.ROOT) : "";
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

    private static boolean seesOtherRows(JsonNode node) {
        if (Nodes.isClass(node, "WINDOW") || Nodes.isClass(node, "SUBQUERY") || Aggregates.in(node)) {
            return true;
        }
        for (JsonNode child : node) {
            if (seesOtherRows(child)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isNewestFirst(JsonNode orders, Set<String> distinct, TableUse use) {
        Set<String> before = new HashSet<>();
        for (JsonNode order : orders) {
            String name = own(order.path("expression"), use);
            if (name.equals("time")) {
                return Nodes.type(order).equals("DESCENDING") && before.equals(distinct);
            }
            before.add(name);
        }
        return false;
    }

    /** Whether a condition looks at these tags alone: then it keeps or drops all rows of them together. */
    private static boolean isOf(JsonNode node, Set<String> tags, TableUse use) {
        if (Nodes.isClass(node, "SUBQUERY") || (Nodes.isClass(node, "COLUMN_REF") && !tags.contains(own(node, use)))) {
            return false;
        }
        for (JsonNode child : node) {
            if (!isOf(child, tags, use)) {
                return false;
            }
        }
        return true;
    }
}
