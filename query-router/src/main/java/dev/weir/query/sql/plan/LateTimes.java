package dev.weir.query.sql.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.query.sql.gate.Nodes;
import dev.weir.query.sql.gate.TableUse;
import dev.weir.query.sql.image.TableImage;
import dev.weir.query.sql.image.TimeRange;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Which expressions are times none of which is before 1970, or any later moment: the column {@code time} of a table whose rows are known to be later. */
public final class LateTimes {
    public static final LateTimes NONE = new LateTimes(Set.of(), Long.MIN_VALUE);

    private final Set<JsonNode> columns;
    private final long leastNanos;

    private LateTimes(Set<JsonNode> columns, long leastNanos) {
        this.columns = columns;
        this.leastNanos = leastNanos;
    }

    /**
     * Those of a statement's only table.
     *
     * @param shown no row outside of it is
     */
    public static LateTimes of(TableUse use, TableImage image, TimeRange shown) {
        if (!use.alone() || use.renamesColumns() || new SelectShape(use).isRenamed("time")) {
            return NONE;
        }
        Set<JsonNode> columns = Collections.newSetFromMap(new IdentityHashMap<>());
        collect(use.select(), columns);
        LongStream times = image.parts().stream()
                .flatMap(part -> Stream.concat(
                        part.files().stream().map(file -> file.times()),
                        part.buffers().stream().map(buffer -> buffer.times())))
                .mapToLong(TimeRange::fromNanos);
        return new LateTimes(columns, Math.max(shown.fromNanos(), times.min().orElse(Long.MIN_VALUE)));
    }

    /** Whether no value of it is before that moment. */
    boolean areFrom(long nanos, JsonNode expression) {
        return leastNanos >= nanos && columns.contains(expression);
    }

    private static void collect(ObjectNode select, Set<JsonNode> columns) {
        for (var field : select.properties()) {
            if (!field.getKey().equals("from_table") && !field.getKey().equals("cte_map")) {
                within(field.getValue(), columns);
            }
        }
    }

    /** A query within has columns of its own, and a lambda names of its own. */
    private static void within(JsonNode node, Set<JsonNode> columns) {
        if (Nodes.isClass(node, "SUBQUERY") || Nodes.isClass(node, "LAMBDA")) {
            return;
        }
        if (Nodes.isClass(node, "COLUMN_REF")
                && Nodes.qualifier(node).isEmpty()
                && Nodes.columnName(node).equalsIgnoreCase("time")) {
            columns.add(node);
        }
        node.forEach(child -> within(child, columns));
    }
}
