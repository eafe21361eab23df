package dev.weir.node.ingest.write;

import dev.weir.partition.catalog.ColumnWish;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.FieldType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The columns that a body's rows need and the catalog does not have yet, by table. Of two wishes for one name the first stands. */
final class Wishes {
    /** New columns of one table, and tables with new columns, that one body may bring. */
    static final int COLUMNS_MAX = 5_000;

    static final int TABLES_MAX = 1_000;

    private final Map<String, Map<String, ColumnWish>> byTable = new HashMap<>();

    boolean isEmpty() {
        return byTable.isEmpty();
    }

    /** Whether there is room for the wishes of one more row. */
    boolean hasRoom(String table, int more) {
        Map<String, ColumnWish> columns = byTable.get(table);
        return columns == null ? byTable.size() < TABLES_MAX : columns.size() + more <= COLUMNS_MAX;
    }

    /** The table itself, with or without columns. */
    void table(String table) {
        columns(table);
    }

    void tag(String table, String name) {
        columns(table).putIfAbsent(name, new ColumnWish(name, ColumnRole.TAG, FieldType.STRING, false, false));
    }

    void field(String table, String name, FieldType type, boolean beyondDouble) {
        columns(table)
                .merge(
                        name,
                        new ColumnWish(name, ColumnRole.FIELD, type, beyondDouble, false),
                        (first, next) ->
                                first.type() == FieldType.INT64 && next.beyondDouble() ? marked(first) : first);
    }

    void widen(String table, String name) {
        columns(table).putIfAbsent(name, new ColumnWish(name, ColumnRole.FIELD, FieldType.FLOAT64, false, true));
    }

    /** As the catalog takes them. */
    Map<String, List<ColumnWish>> byTable() {
        Map<String, List<ColumnWish>> lists = new LinkedHashMap<>();
        byTable.forEach((table, columns) -> lists.put(table, new ArrayList<>(columns.values())));
        return lists;
    }

    private Map<String, ColumnWish> columns(String table) {
        return byTable.computeIfAbsent(table, name -> new LinkedHashMap<>());
    }

    private static ColumnWish marked(ColumnWish wish) {
        return new ColumnWish(wish.name(), wish.role(), wish.type(), true, false);
    }
}
