package dev.weir.partition.model;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One version of a table's schema; immutable. Versions of a table are dense from 1.
 *
 * <p>Types only widen and columns keep their ids, so rows written under an older version stay valid.
 */
public final class TableSchema {
    /** The table of refused rows, which each tenant may have. */
    public static final String DEAD_LETTERS = "_dead_letters";

    private final int tableId;
    private final String tenant;
    private final String name;
    private final int version;
    private final boolean strict;
    private final List<Column> columns;
    private final Map<String, Column> byName;

    /**
     * @param tableId unique in the cluster, never reused
     * @param name the measurement, case-sensitive
     * @param strict rows may not add columns
     */
    public TableSchema(int tableId, String tenant, String name, int version, boolean strict, List<Column> columns) {
        this.tableId = tableId;
        this.tenant = tenant;
        this.name = name;
        this.version = version;
        this.strict = strict;
        this.columns = List.copyOf(columns);
        this.byName = new HashMap<>(columns.size() * 2);
        for (Column column : this.columns) {
            byName.put(column.name(), column);
        }
    }

    /** Whether tables of that name are Weir's own: users read them and delete rows, no more. Limits of users' tables and series don't bind them. */
    public static boolean isOwn(String table) {
        return table.startsWith("_");
    }

    public int tableId() {
        return tableId;
    }

    public String tenant() {
        return tenant;
    }

    public String name() {
        return name;
    }

    public int version() {
        return version;
    }

    public boolean strict() {
        return strict;
    }

    /** In order of their ids. */
    public List<Column> columns() {
        return columns;
    }

    public Optional<Column> column(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TableSchema o
                && tableId == o.tableId
                && version == o.version
                && strict == o.strict
                && tenant.equals(o.tenant)
                && name.equals(o.name)
                && columns.equals(o.columns);
    }

    @Override
    public int hashCode() {
        return 31 * tableId + version;
    }

    @Override
    public String toString() {
        return "table " + name + " (id " + tableId + ", version " + version + ")";
    }
}
