package dev.weir.partition.catalog;

import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.TableSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Judges the wishes of one {@link CatalogCommand.AgreeSchema}, in order, against the schema there is. At most one version step comes of
 * it, however many wishes come true; none where nothing changes. A wish that conflicts changes nothing.
 */
final class SchemaAgreement {
    private final CatalogCommand.AgreeSchema command;
    private final CatalogLimits limits;
    private final @Nullable TableSchema before;
    private final Map<String, Column> columns = new LinkedHashMap<>();
    private final List<String> overLimit = new ArrayList<>();
    private int nextColumnId;
    private boolean changed;

    /**
     * @param before the table as it is, null where there is none
     * @param nextColumnId the first id that no column of the table has had
     */
    SchemaAgreement(
            CatalogCommand.AgreeSchema command, CatalogLimits limits, @Nullable TableSchema before, int nextColumnId) {
        this.command = command;
        this.limits = limits;
        this.before = before;
        this.nextColumnId = nextColumnId;
        if (before != null) {
            for (Column column : before.columns()) {
                columns.put(column.name(), column);
            }
        }
        command.wishes().forEach(this::judge);
    }

    /** A schema that no table has, for an answer that says why none was made: no id, no version, no column. */
    static TableSchema none(CatalogCommand.AgreeSchema command) {
        return new TableSchema(0, command.tenant(), command.table(), 0, false, List.of());
    }

    boolean changes() {
        return changed || before == null;
    }

    /** @param newTableId the id where the table is new */
    TableSchema schema(int newTableId) {
        List<Column> list = List.copyOf(columns.values());
        if (before == null) {
            return new TableSchema(newTableId, command.tenant(), command.table(), 1, false, list);
        }
        if (!changed) {
            return before;
        }
        return new TableSchema(
                before.tableId(), before.tenant(), before.name(), before.version() + 1, before.strict(), list);
    }

    List<String> overLimit() {
        return overLimit;
    }

    String limitMessage() {
        return overLimit.isEmpty()
                ? ""
                : "table " + command.table() + " has " + columns.size() + " columns, the limit is "
                        + limits.columnsPerTable() + " (limits.columns-per-table)";
    }

    private void judge(ColumnWish wish) {
        Column there = columns.get(wish.name());
        if (there == null) {
            add(wish);
            return;
        }
        if (there.role() != wish.role() || there.role() == ColumnRole.TAG || there.type() != FieldType.INT64) {
            return;
        }
        if (wish.type() == FieldType.INT64 && wish.beyondDouble() && !there.beyondDouble()) {
            put(new Column(there.id(), there.name(), there.role(), FieldType.INT64, true));
        } else if (wish.type() == FieldType.FLOAT64 && wish.widens() && !there.beyondDouble()) {
            put(new Column(there.id(), there.name(), there.role(), FieldType.FLOAT64, false));
        }
    }

    private void add(ColumnWish wish) {
        if (before != null && before.strict()) {
            return;
        }
        if (columns.size() >= limits.columnsPerTable()) {
            if (!overLimit.contains(wish.name())) {
                overLimit.add(wish.name());
            }
            return;
        }
        boolean beyondDouble = wish.beyondDouble() && wish.type() == FieldType.INT64;
        put(new Column(nextColumnId++, wish.name(), wish.role(), wish.type(), beyondDouble));
    }

    private void put(Column column) {
        columns.put(column.name(), column);
        changed = true;
    }
}
