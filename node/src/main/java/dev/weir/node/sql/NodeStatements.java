package dev.weir.node.sql;

import dev.weir.node.ingest.Awaiting;
import dev.weir.node.ingest.BatchIds;
import dev.weir.node.ingest.IngestRoutes;
import dev.weir.node.ingest.TableDrops;
import dev.weir.node.ingest.write.RowReport;
import dev.weir.node.ingest.write.WriteResult;
import dev.weir.node.internal.ReadRouter;
import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.write.PartitionWrites;
import dev.weir.query.sql.image.CancelSignal;
import dev.weir.query.sql.statement.Statement;
import dev.weir.query.sql.statement.StatementResult;
import dev.weir.query.sql.statement.TableStatements;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;

/** Carries out statements on tables, through the catalog and the partitions. */
public final class NodeStatements implements TableStatements {
    private final Catalog catalog;
    private final ReadRouter reads;
    private final IngestRoutes ingest;
    private final AllTables tables;
    private final TableNames names;
    private final TableDefinitions definitions;
    private final RangeDeletes deletes;
    private final TableDrops drops;
    private final Function<TableSchema, String> location;
    private final InstantSource clock;
    private final Executor blocking;

    /**
     * @param ingest writes inserted rows
     * @param location where a table's files lie
     * @param blocking runs statements
     */
    public NodeStatements(
            Catalog catalog,
            ReadRouter reads,
            PartitionWrites writes,
            IngestRoutes ingest,
            BatchIds batches,
            AllTables tables,
            Function<TableSchema, String> location,
            InstantSource clock,
            Executor blocking) {
        this.catalog = catalog;
        this.reads = reads;
        this.ingest = ingest;
        this.tables = tables;
        this.location = location;
        this.clock = clock;
        this.blocking = blocking;
        this.names = new TableNames(catalog);
        this.definitions = new TableDefinitions(catalog, names);
        this.deletes = new RangeDeletes(catalog, writes, batches);
        this.drops = new TableDrops(catalog, writes, batches);
    }

    @Override
    public CompletionStage<StatementResult> execute(String tenant, Statement.OnTable statement, CancelSignal cancel) {
        return CompletableFuture.supplyAsync(() -> run(tenant, statement), blocking);
    }

    @Override
    public CompletionStage<StatementResult> tables(String tenant) {
        return tables.list(tenant);
    }

    @Override
    public CompletionStage<InsertOutcome> insert(String tenant, String table, List<String> columns, InsertRows rows) {
        return CompletableFuture.supplyAsync(() -> insertNow(tenant, table, columns, rows), blocking);
    }

    private StatementResult run(String tenant, Statement.OnTable statement) {
        return switch (statement) {
            case Statement.FlushTable flush -> flush(names.table(tenant, flush.table()));
            case Statement.Delete delete -> delete(names.table(tenant, delete.table()), delete);
            case Statement.DropTable drop -> drop(tenant, drop);
            case Statement.CreateTable create -> {
                definitions.create(tenant, create);
                yield done(Optional.empty());
            }
            case Statement.AddColumn add -> {
                definitions.addColumn(tenant, add);
                yield done(Optional.empty());
            }
            case Statement.DropColumn drop -> {
                definitions.dropColumn(tenant, drop);
                yield done(Optional.empty());
            }
            case Statement.ColumnType type -> {
                definitions.columnType(tenant, type);
                yield done(Optional.empty());
            }
            case Statement.SetOptions set -> {
                definitions.setOptions(tenant, set);
                yield done(Optional.empty());
            }
            case Statement.CompactTable compact -> compact(names.table(tenant, compact.table()));
            case Statement.ShowCreateTable show -> showCreate(names.table(tenant, show.table()));
        };
    }

    private StatementResult flush(TableSchema table) {
        List<CompletableFuture<Boolean>> flushes = new ArrayList<>();
        for (int partition : catalog.image().partitions().keySet()) {
            flushes.add(reads.flush(partition, table.tableId()).toCompletableFuture());
        }
        long flushed = flushes.stream().filter(Awaiting::await).count();
        return new StatementResult(
                List.of(new StatementResult.Column("partitions_flushed", "BIGINT")),
                List.<Object[]>of(new Object[] {flushed}),
                Optional.empty());
    }

    private StatementResult compact(TableSchema table) {
        List<CompletableFuture<Integer>> merges = new ArrayList<>();
        for (int partition : catalog.image().partitions().keySet()) {
            merges.add(reads.compact(partition, table.tableId()).toCompletableFuture());
        }
        long merged = merges.stream().mapToLong(Awaiting::await).sum();
        return new StatementResult(
                List.of(new StatementResult.Column("merges", "BIGINT")),
                List.<Object[]>of(new Object[] {merged}),
                Optional.empty());
    }

    private StatementResult delete(TableSchema table, Statement.Delete delete) {
        if (delete.times().isEmpty()) {
            return done(Optional.empty());
        }
        return done(Optional.of(
                deletes.delete(table, delete.times().fromNanos(), delete.times().toNanos(), delete.tags())));
    }

    private StatementResult drop(String tenant, Statement.DropTable drop) {
        TableNames.checkChange(drop.table());
        if (drop.ifExists() && names.find(tenant, drop.table()).isEmpty()) {
            return done(Optional.empty());
        }
        TableSchema table = names.table(tenant, drop.table());
        return done(Optional.of(drops.drop(tenant, table.name())));
    }

    private StatementResult showCreate(TableSchema table) {
        String text = CreateText.of(table, catalog.image().settings(table.tableId()));
        return new StatementResult(
                List.of(
                        new StatementResult.Column("name", "VARCHAR"),
                        new StatementResult.Column("create_statement", "VARCHAR"),
                        new StatementResult.Column("location", "VARCHAR")),
                List.<Object[]>of(new Object[] {table.name(), text, location.apply(table)}),
                Optional.empty());
    }

    private InsertOutcome insertNow(String tenant, String name, List<String> columns, InsertRows rows) {
        TableNames.checkChange(name);
        TableSchema table = names.find(tenant, name)
                .orElseThrow(() -> new RefusedException(
                        Refusal.of(ErrorCode.NOT_FOUND, "no table " + name + " is known: CREATE TABLE makes one")));
        long unitNanos = catalog.image().settings(table.tableId()).timeUnitNanos();
        Instant now = clock.instant();
        long nowNanos = now.getEpochSecond() * 1_000_000_000L + now.getNano();
        try {
            WriteResult result = ingest.write(tenant, InsertLines.write(table, columns, rows, unitNanos), nowNanos);
            return outcome(result);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CompletionException(e);
        }
    }

    private static InsertOutcome outcome(WriteResult result) {
        if (result.bodyFault() != null) {
            throw new RefusedException(
                    Refusal.of(result.bodyFault().code(), result.bodyFault().message()));
        }
        List<RefusedRow> refused = new ArrayList<>();
        for (RowReport.Listed row : result.rows().listed()) {
            refused.add(new RefusedRow(row.line() - 1, Refusal.of(row.code(), row.message())));
        }
        return new InsertOutcome(result.rows().accepted(), refused, result.commit());
    }

    private static StatementResult done(Optional<Cursor> commit) {
        return new StatementResult(
                List.of(), List.of(), commit.filter(cursor -> !cursor.next().isEmpty()));
    }
}
