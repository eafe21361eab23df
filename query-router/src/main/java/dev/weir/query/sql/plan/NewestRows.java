package dev.weir.query.sql.plan;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.query.sql.gate.Nodes;
import dev.weir.query.sql.gate.TableUse;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds SELECTs that can show no row but the newest of each series, or of each group of series. */
public final class NewestRows {
    private NewestRows() {}

    /**
     * Whether of each series that the WHERE lets through only the newest row can matter here: {@code SELECT DISTINCT ON (tags) … ORDER BY tags, time
     * DESC}, {@code SELECT tags, max(time) … GROUP BY tags}, and {@code … ORDER BY time DESC LIMIT 1}. To be asked once conditions of time that
     * were applied elsewhere are gone from the WHERE.
     */
    public static boolean suffice(TableUse use, VisibleColumns columns) {
        SelectShape shape = new SelectShape(use);
        Set<String> tags = lower(columns.tags());
        if (!shape.isPlain() || !shape.isOf(shape.where(), tags)) {
            return false;
        }
        return isNewestOfEach(shape, tags) || isNewestTime(shape, tags) || isNewestOfAll(shape);
    }

    /**
     * {@code SELECT DISTINCT ON (tags) … FROM t WHERE … ORDER BY tags, time DESC}: the tags, where the WHERE keeps or drops all rows of theirs together;
     * empty for all else. Only rows at the largest time of their tags can come out, and that time is found by reading few columns; so the others can be left out
     * before DuckDB sorts whole rows.
     */
    public static List<String> tags(TableUse use, VisibleColumns columns) {
        SelectShape shape = new SelectShape(use);
        Set<String> distinct = shape.distinctOn();
        boolean newest =
                shape.isPlain() && isNewestOfEach(shape, lower(columns.tags())) && shape.isOf(shape.where(), distinct);
        return columns.tags().stream()
                .filter(tag -> newest && distinct.contains(tag.toLowerCase(Locale.ROOT)))
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

    private static boolean isNewestOfEach(SelectShape shape, Set<String> tags) {
        Set<String> distinct = shape.distinctOn();
        return !shape.groups()
                && !shape.seesOtherRows()
                && !distinct.isEmpty()
                && tags.containsAll(distinct)
                && isNewestFirst(shape, distinct);
    }

    private static boolean isNewestTime(SelectShape shape, Set<String> tags) {
        boolean aggregates = false;
        for (JsonNode item : shape.items()) {
            boolean max = Nodes.isClass(item, "FUNCTION")
                    && Nodes.function(item).equals("max")
                    && Nodes.arguments(item) == 1
                    && shape.own(Nodes.argument(item, 0)).equals("time")
                    && item.path("filter").isNull();
            aggregates |= max;
            if (!max && !tags.contains(shape.own(item))) {
                return false;
            }
        }
        return aggregates
                && tags.containsAll(shape.distinctOn())
                && shape.isOf(shape.grouped(), tags)
                && shape.orders().stream()
                        .allMatch(order -> Nodes.isClass(order.path("expression"), "COLUMN_REF")
                                || Nodes.isClass(order.path("expression"), "CONSTANT"));
    }

    private static boolean isNewestOfAll(SelectShape shape) {
        return !shape.groups()
                && !shape.seesOtherRows()
                && shape.modifiers().equals(Set.of("ORDER_MODIFIER", "LIMIT_MODIFIER"))
                && shape.endsAfterOne()
                && isNewestFirst(shape, Set.of());
    }

    /** Whether rows come by these columns, then by falling time. */
    private static boolean isNewestFirst(SelectShape shape, Set<String> columns) {
        Set<String> before = new HashSet<>();
        for (JsonNode order : shape.orders()) {
            String name = shape.outer(order.path("expression"));
            if (name.equals("time")) {
                return Nodes.type(order).equals("DESCENDING") && before.equals(columns);
            }
            before.add(name);
        }
        return false;
    }

    private static Set<String> lower(List<String> names) {
        return names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
    }
}
