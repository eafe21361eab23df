package dev.weir.node.sql;

import dev.weir.node.ingest.Awaiting;
import dev.weir.node.ingest.rows.NameRule;
import dev.weir.node.ingest.rows.RowFault;
import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.CatalogReply;
import dev.weir.partition.catalog.ColumnWish;
import dev.weir.partition.catalog.TableAlteration;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Publication;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.TableSettings;
import dev.weir.query.sql.statement.Statement;
import dev.weir.query.sql.statement.TableOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** CREATE TABLE and ALTER TABLE, as proposals to the catalog, which decides. Blocks; called on virtual threads. */
final class TableDefinitions {
    private final Catalog catalog;
    private final TableNames names;

    TableDefinitions(Catalog catalog, TableNames names) {
        this.catalog = catalog;
        this.names = names;
    }

    void create(String tenant, Statement.CreateTable create) {
        allowed(NameRule.table(create.table()));
        checked(create.options());
        List<ColumnWish> columns = new ArrayList<>();
        for (Statement.ColumnDefinition column : create.columns()) {
            columns.add(wish(column));
        }
        TableOptions options = create.options();
        agree(new CatalogCommand.CreateTable(
                tenant,
                create.table(),
                create.ifNotExists(),
                options.strict().orElse(false),
                columns,
                new TableSettings(
                        options.retention().orElse(Duration.ZERO),
                        options.timeUnit().map(TableOptions.TimeUnit::nanos).orElse(1L),
                        options.published().orElse(Publication.NONE))));
    }

    void addColumn(String tenant, Statement.AddColumn add) {
        TableNames.checkChange(add.table());
        alter(names.table(tenant, add.table()), new TableAlteration.AddColumn(wish(add.column())));
    }

    void dropColumn(String tenant, Statement.DropColumn drop) {
        TableNames.checkChange(drop.table());
        TableSchema table = names.table(tenant, drop.table());
        alter(table, new TableAlteration.DropColumn(TableNames.column(table, drop.column())));
    }

    void columnType(String tenant, Statement.ColumnType type) {
        TableNames.checkChange(type.table());
        TableSchema table = names.table(tenant, type.table());
        alter(table, new TableAlteration.WidenColumn(TableNames.column(table, type.column()), type.type()));
    }

    void setOptions(String tenant, Statement.SetOptions set) {
        TableOptions options = set.options();
        checked(options);
        TableNames.checkChange(set.table());
        alter(
                names.table(tenant, set.table()),
                new TableAlteration.Set(
                        options.strict(),
                        options.retention(),
                        options.timeUnit().map(TableOptions.TimeUnit::nanos),
                        options.published()));
    }

    private void alter(TableSchema table, TableAlteration alteration) {
        agree(new CatalogCommand.AlterTable(table.tenant(), table.name(), alteration));
    }

    private void agree(CatalogCommand command) {
        CatalogReply reply = Awaiting.await(catalog.propose(command));
        if (!(reply instanceof CatalogReply.Done)) {
            throw new IllegalStateException("the catalog answered " + command + " with " + reply);
        }
    }

    private static ColumnWish wish(Statement.ColumnDefinition column) {
        allowed(NameRule.column(column.name()));
        return new ColumnWish(column.name(), column.role(), column.type(), false, false);
    }

    private static void allowed(@Nullable RowFault fault) {
        if (fault != null) {
            throw new RefusedException(Refusal.of(fault.code(), fault.message()));
        }
    }

    private static void checked(TableOptions options) {
        Optional<Duration> retention = options.retention();
        if (retention.isPresent() && retention.get().compareTo(TableSettings.RETENTION_MAX) > 0) {
            throw new RefusedException(Refusal.of(
                    ErrorCode.BAD_REQUEST,
                    "retention: expected at most " + TableSettings.RETENTION_MAX.toDays() + "d or 'forever', found "
                            + retention.get().toDays() + "d"));
        }
    }
}
