package dev.weir.partition.catalog;

import dev.weir.partition.catalog.CatalogCommand.AlterTable;
import dev.weir.partition.catalog.CatalogCommand.CreateTable;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.TableSettings;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** What CREATE TABLE and ALTER TABLE change, and why they are refused. Part of {@link CatalogFold}'s rules: pure. */
final class TableDefinitions {
    private final FoldedImage image;
    private final long version;
    private final CatalogLimits limits;

    TableDefinitions(FoldedImage image, long version, CatalogLimits limits) {
        this.image = image;
        this.version = version;
        this.limits = limits;
    }

    CatalogDecision create(CreateTable create) {
        if (image.table(create.tenant(), create.table()).isPresent()) {
            return create.ifNotExists()
                    ? CatalogDecision.done(version)
                    : CatalogDecision.refused(
                            version, ErrorCode.CONFLICT, "table " + create.table() + " exists already");
        }
        if (!TableSchema.isOwn(create.table()) && image.usersTables(create.tenant()) >= limits.tablesPerTenant()) {
            return CatalogDecision.refused(version, ErrorCode.LIMIT_COLUMNS, limits.tenantIsFull(create.tenant()));
        }
        if (!TableSchema.isOwn(create.table()) && create.columns().size() > limits.columnsPerTable()) {
            return tooManyColumns(create.table(), create.columns().size());
        }
        Set<String> names = new HashSet<>();
        List<Column> columns = new ArrayList<>();
        for (ColumnWish wish : create.columns()) {
            if (!names.add(wish.name())) {
                return CatalogDecision.refused(
                        version, ErrorCode.BAD_REQUEST, "column " + wish.name() + " is named twice");
            }
            columns.add(column(columns.size() + 1, wish));
        }
        int id = image.nextTableId();
        List<CatalogChange> changes = new ArrayList<>();
        changes.add(new CatalogChange.TablePut(
                new TableSchema(id, create.tenant(), create.table(), 1, create.strict(), columns)));
        if (!create.settings().equals(TableSettings.DEFAULTS)) {
            changes.add(new CatalogChange.RecordPut(new TableRecord(id, 0, create.settings())));
        }
        return new CatalogDecision(changes, new CatalogReply.Done(version));
    }

    CatalogDecision alter(AlterTable alter) {
        Optional<TableSchema> found = image.table(alter.tenant(), alter.table());
        if (found.isEmpty()) {
            return CatalogDecision.refused(version, ErrorCode.NOT_FOUND, "no table " + alter.table() + " is known");
        }
        TableSchema table = found.get();
        return switch (alter.alteration()) {
            case TableAlteration.AddColumn add -> add(table, add.column());
            case TableAlteration.DropColumn drop -> drop(table, drop.column());
            case TableAlteration.WidenColumn widen -> widen(table, widen.column(), widen.type());
            case TableAlteration.Set set -> set(table, set);
        };
    }

    private CatalogDecision add(TableSchema table, ColumnWish wish) {
        Optional<Column> there = table.column(wish.name());
        if (there.isPresent()) {
            return CatalogDecision.refused(
                    version,
                    ErrorCode.CONFLICT,
                    "table " + table.name() + " has a column " + described(there.get()) + " already");
        }
        if (table.columns().size() >= limits.columnsPerTable()) {
            return tooManyColumns(table.name(), table.columns().size() + 1);
        }
        List<Column> columns = new ArrayList<>(table.columns());
        columns.add(column(image.nextColumnId(table), wish));
        return put(table, table.strict(), columns);
    }

    private CatalogDecision drop(TableSchema table, String name) {
        Optional<Column> column = table.column(name);
        if (column.isEmpty()) {
            return noColumn(table, name);
        }
        if (column.get().role() == ColumnRole.TAG) {
            return CatalogDecision.refused(
                    version,
                    ErrorCode.NOT_ALLOWED,
                    "column " + name + " of table " + table.name()
                            + " is a tag, expected a field: tags say which series a row belongs to and can't be dropped");
        }
        List<Column> columns = new ArrayList<>(table.columns());
        columns.remove(column.get());
        TableRecord record = image.record(table.tableId());
        TableRecord after = new TableRecord(table.tableId(), image.nextColumnId(table), record.settings());
        return new CatalogDecision(
                List.of(
                        new CatalogChange.TablePut(next(table, table.strict(), columns)),
                        new CatalogChange.RecordPut(after)),
                new CatalogReply.Done(version));
    }

    private CatalogDecision widen(TableSchema table, String name, FieldType type) {
        Optional<Column> found = table.column(name);
        if (found.isEmpty()) {
            return noColumn(table, name);
        }
        Column column = found.get();
        if (column.role() == ColumnRole.FIELD && column.type() == type) {
            return CatalogDecision.done(version);
        }
        if (column.role() == ColumnRole.TAG || column.type() != FieldType.INT64 || type != FieldType.FLOAT64) {
            return CatalogDecision.refused(
                    version,
                    ErrorCode.TYPE_CONFLICT,
                    "table " + table.name() + ": column " + described(column) + " can't become " + type.wireName()
                            + ": types only widen, and the one step there is is int64 to float64");
        }
        if (column.beyondDouble()) {
            return CatalogDecision.refused(
                    version,
                    ErrorCode.TYPE_CONFLICT,
                    "table " + table.name() + ": column " + described(column)
                            + " can't become float64: integers beyond ±2^53, for which float64 has no exact place, were accepted");
        }
        List<Column> columns = new ArrayList<>(table.columns());
        columns.replaceAll(each -> each.equals(column)
                ? new Column(column.id(), column.name(), column.role(), FieldType.FLOAT64, false)
                : each);
        return put(table, table.strict(), columns);
    }

    private CatalogDecision set(TableSchema table, TableAlteration.Set set) {
        List<CatalogChange> changes = new ArrayList<>();
        boolean strict = set.strict().orElse(table.strict());
        if (strict != table.strict()) {
            changes.add(new CatalogChange.TablePut(next(table, strict, table.columns())));
        }
        TableRecord record = image.record(table.tableId());
        TableSettings settings = new TableSettings(
                set.retention().orElse(record.settings().retention()),
                set.timeUnitNanos().orElse(record.settings().timeUnitNanos()),
                set.published().orElse(record.settings().published()));
        if (!settings.equals(record.settings())) {
            changes.add(new CatalogChange.RecordPut(new TableRecord(table.tableId(), record.nextColumnId(), settings)));
        }
        return new CatalogDecision(changes, new CatalogReply.Done(version));
    }

    private CatalogDecision put(TableSchema table, boolean strict, List<Column> columns) {
        return CatalogDecision.done(version, new CatalogChange.TablePut(next(table, strict, columns)));
    }

    private static TableSchema next(TableSchema table, boolean strict, List<Column> columns) {
        return new TableSchema(table.tableId(), table.tenant(), table.name(), table.version() + 1, strict, columns);
    }

    private static Column column(int id, ColumnWish wish) {
        return new Column(id, wish.name(), wish.role(), wish.type(), false);
    }

    private static String described(Column column) {
        return column.name() + " ("
                + (column.role() == ColumnRole.TAG
                        ? column.role().name().toLowerCase(Locale.ROOT)
                        : column.type().wireName())
                + ")";
    }

    private CatalogDecision noColumn(TableSchema table, String name) {
        return CatalogDecision.refused(
                version, ErrorCode.NOT_FOUND, "table " + table.name() + " has no column " + name);
    }

    private CatalogDecision tooManyColumns(String table, int wanted) {
        return CatalogDecision.refused(
                version,
                ErrorCode.LIMIT_COLUMNS,
                "table " + table + " would have " + wanted + " columns, the limit is " + limits.columnsPerTable()
                        + " (limits.columns-per-table)");
    }
}
