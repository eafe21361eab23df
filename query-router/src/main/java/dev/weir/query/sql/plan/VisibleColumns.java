package dev.weir.query.sql.plan;

import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.TableSchema;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A table's columns as SQL shows them after {@code time}: tags by name, then fields by name. DuckDB does not tell case apart: of names that differ in
 * case only, the later ones get {@code _1}, {@code _2}.
 */
public record VisibleColumns(List<Visible> columns) {
    /** A column and the name that SQL knows it by. */
    public record Visible(Column column, String name) {
        public boolean isTag() {
            return column.role() == ColumnRole.TAG;
        }
    }

    public static VisibleColumns of(TableSchema schema) {
        List<Column> sorted = new ArrayList<>(schema.columns());
        sorted.sort(Comparator.comparing((Column column) -> column.role() != ColumnRole.TAG)
                .thenComparing(Column::name));
        Set<String> taken = new HashSet<>(Set.of("time"));
        List<Visible> visible = new ArrayList<>();
        for (Column column : sorted) {
            String name = column.name();
            for (int i = 1; !taken.add(name.toLowerCase(Locale.ROOT)); i++) {
                name = column.name() + "_" + i;
            }
            visible.add(new Visible(column, name));
        }
        return new VisibleColumns(List.copyOf(visible));
    }

    public List<String> tags() {
        return columns.stream().filter(Visible::isTag).map(Visible::name).toList();
    }
}
