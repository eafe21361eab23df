package dev.weir.query.sql.run;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.model.TableSchema;
import dev.weir.query.sql.gate.Nodes;
import dev.weir.query.sql.gate.SelectTree;
import dev.weir.query.sql.gate.SqlRefusedException;
import dev.weir.query.sql.gate.TableUse;
import dev.weir.query.sql.plan.Quoted;
import dev.weir.query.sql.plan.VisibleColumns;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;

/** The tables of one tenant, by name and as {@code information_schema}. Asks the catalog's quorum only for a name that is not known here. */
final class TenantTables {
    private final Catalog catalog;
    private final String tenant;

    TenantTables(Catalog catalog, String tenant) {
        this.catalog = catalog;
        this.tenant = tenant;
    }

    /** @throws SqlRefusedException 404, with the place of the name */
    TableSchema table(SelectTree tree, TableUse use) {
        Optional<TableSchema> known = find(use.name());
        if (known.isEmpty()) {
            linearize();
            known = find(use.name());
        }
        return known.orElseThrow(() -> new SqlRefusedException(
                ErrorCode.NOT_FOUND,
                "no table " + use.name() + " is known",
                tree.position(Nodes.location(use.reference()))));
    }

    /** The exact name, else the only one that differs in case. */
    private Optional<TableSchema> find(String name) {
        Optional<TableSchema> exact = catalog.image().table(tenant, name);
        if (exact.isPresent()) {
            return exact;
        }
        List<TableSchema> alike = catalog.image().tables(tenant).stream()
                .filter(table -> table.name().equalsIgnoreCase(name))
                .toList();
        return alike.size() == 1 ? Optional.of(alike.getFirst()) : Optional.empty();
    }

    private void linearize() {
        try {
            catalog.linearize().toCompletableFuture().join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RefusedException refused) {
                throw refused;
            }
            throw e;
        }
    }

    /** The SELECT behind {@code information_schema.tables} or {@code .columns}. */
    String informationSchema(SelectTree tree, TableUse use) {
        List<TableSchema> tables = new ArrayList<>(catalog.image().tables(tenant));
        tables.sort(Comparator.comparing(TableSchema::name));
        return switch (use.name().toLowerCase(java.util.Locale.ROOT)) {
            case "tables" ->
                values(
                        "table_catalog, table_schema, table_name, table_type, is_strict, schema_version",
                        tables.stream().map(this::tableRow).toList(),
                        "'', '', '', '', false, 0");
            case "columns" ->
                values(
                        "table_catalog, table_schema, table_name, column_name, ordinal_position, data_type,"
                                + " is_nullable, column_role",
                        tables.stream()
                                .flatMap(table -> columnRows(table).stream())
                                .toList(),
                        "'', '', '', '', 0, '', '', ''");
            default ->
                throw new SqlRefusedException(
                        ErrorCode.NOT_FOUND,
                        "no information_schema." + use.name() + " is known, expected tables or columns",
                        tree.position(Nodes.location(use.reference())));
        };
    }

    private String tableRow(TableSchema table) {
        return Quoted.text(tenant) + ", 'public', " + Quoted.text(table.name()) + ", 'BASE TABLE', " + table.strict()
                + ", " + table.version();
    }

    private List<String> columnRows(TableSchema table) {
        String head = Quoted.text(tenant) + ", 'public', " + Quoted.text(table.name()) + ", ";
        List<String> rows = new ArrayList<>();
        rows.add(head + "'time', 1, 'TIMESTAMP_NS', 'NO', 'TIME'");
        for (VisibleColumns.Visible visible : VisibleColumns.of(table).columns()) {
            Column column = visible.column();
            rows.add(head + Quoted.text(visible.name()) + ", " + (rows.size() + 1) + ", "
                    + Quoted.text(column.type().sqlName()) + ", 'YES', "
                    + Quoted.text(column.role().name()));
        }
        return rows;
    }

    private static String values(String columns, List<String> rows, String none) {
        String list = rows.isEmpty() ? "(" + none + ")" : "(" + String.join("), (", rows) + ")";
        return "SELECT * FROM (VALUES " + list + ") v(" + columns + ")" + (rows.isEmpty() ? " WHERE false" : "");
    }
}
