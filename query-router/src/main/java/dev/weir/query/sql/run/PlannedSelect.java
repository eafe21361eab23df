package dev.weir.query.sql.run;

import dev.weir.partition.model.TableSchema;
import dev.weir.query.sql.gate.ColumnUse;
import dev.weir.query.sql.gate.Pruning;
import dev.weir.query.sql.gate.SelectTree;
import dev.weir.query.sql.gate.StatementGate;
import dev.weir.query.sql.gate.TableUse;
import dev.weir.query.sql.image.TableNeed;
import dev.weir.query.sql.image.TimeRange;
import dev.weir.query.sql.plan.Constants;
import dev.weir.query.sql.plan.GapFill;
import dev.weir.query.sql.plan.NewestRows;
import dev.weir.query.sql.plan.TimeConstants;
import dev.weir.query.sql.plan.TimeFunctions;
import dev.weir.query.sql.plan.VisibleColumns;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A statement that may run, with what it needs.
 *
 * @param places where it names tables
 * @param needs one per table
 * @param gaps the queries in it that fill gaps
 */
record PlannedSelect(SelectTree tree, List<Place> places, List<TableNeed> needs, List<GapFill> gaps) {
    /**
     * One place.
     *
     * @param table the table as the catalog spells it; empty for {@code information_schema}
     * @param times no row outside of it matters here, and none is to be shown: the WHERE may no longer say so
     * @param shown whether a column is to be shown, by the name that SQL knows it by; the others are read nowhere
     * @param rows the SELECT behind it, for {@code information_schema} only
     */
    record Place(TableUse use, String table, TimeRange times, Predicate<String> shown, String rows) {
        boolean isTable() {
            return !table.isEmpty();
        }
    }

    /**
     * Checks and plans; rewrites the tree up to its tables.
     *
     * @throws dev.weir.query.sql.gate.SqlRefusedException what is not allowed, not known or not possible
     */
    static PlannedSelect of(SelectTree tree, TenantTables tables, Constants constants, long nowNanos) {
        List<TableUse> uses = StatementGate.check(tree);
        TimeFunctions.nameColumns(tree.query());
        new TimeConstants(nowNanos).apply(tree.query());
        List<GapFill> gaps = GapFill.find(tree, constants, nowNanos);
        Pruning pruning = new Pruning(constants);
        ColumnUse columns = ColumnUse.of(tree, uses);
        List<Place> places = new ArrayList<>();
        Map<String, TableNeed> needs = new LinkedHashMap<>();
        for (TableUse use : uses) {
            if (!use.schema().isEmpty()) {
                places.add(new Place(use, "", TimeRange.ALL, name -> true, tables.informationSchema(tree, use)));
                continue;
            }
            TableSchema schema = tables.table(tree, use);
            Pruning.Bounds bounds = pruning.of(use, schema);
            // Filling gaps looks at the WHERE again, and further back than it says.
            TimeRange shown = gaps.isEmpty() ? bounds.settle() : bounds.times();
            places.add(new Place(use, schema.name(), shown, columns::reads, ""));
            // A newest row that is not shown would hide the one before it: asked for are exactly the times that are.
            boolean newest = gaps.isEmpty() && NewestRows.suffice(use, VisibleColumns.of(schema));
            TimeRange times = newest ? bounds.times().and(shown) : bounds.times();
            needs.merge(
                    schema.name(),
                    new TableNeed(schema.name(), times, bounds.tags(), needed(schema, columns), newest),
                    PlannedSelect::both);
        }
        return new PlannedSelect(tree, places, List.copyOf(needs.values()), gaps);
    }

    /** By the table's own names: what may be read, and the tags, which tell rows apart. */
    private static Set<String> needed(TableSchema schema, ColumnUse use) {
        return VisibleColumns.of(schema).columns().stream()
                .filter(visible -> visible.isTag() || use.reads(visible.name()))
                .map(visible -> visible.column().name())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** What serves two places: only tags that both bind, with the values of either. */
    private static TableNeed both(TableNeed one, TableNeed other) {
        Map<String, List<String>> tags = new HashMap<>();
        one.tags().forEach((tag, values) -> {
            List<String> more = other.tags().get(tag);
            if (more != null) {
                List<String> either = new ArrayList<>(values);
                either.addAll(more);
                tags.put(tag, either.stream().distinct().toList());
            }
        });
        return new TableNeed(one.table(), one.times().or(other.times()), tags, one.columns(), false);
    }
}
