package dev.weir.node.sql;

import dev.weir.node.internal.TableSizeCalls;
import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.partition.engine.TableSize;
import dev.weir.partition.model.TableSchema;
import dev.weir.query.sql.statement.StatementResult;
import dev.weir.query.sql.statement.StatementResult.Column;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Lists a tenant's tables with what they have, as the leaders of all partitions say. Any thread. */
public final class AllTables {
    private static final List<Column> COLUMNS = List.of(
            new Column("name", "VARCHAR"),
            new Column("schema_version", "BIGINT"),
            new Column("schema", "VARCHAR"),
            new Column("columns", "BIGINT"),
            new Column("rows", "BIGINT"),
            new Column("files", "BIGINT"),
            new Column("bytes", "BIGINT"));

    private final String self;
    private final Catalog catalog;
    private final Supplier<List<TableSize>> here;
    private final TableSizeCalls calls;

    /** @param here sizes in the partitions that this node leads */
    public AllTables(String self, Catalog catalog, Supplier<List<TableSize>> here, TableSizeCalls calls) {
        this.self = self;
        this.catalog = catalog;
        this.here = here;
        this.calls = calls;
    }

    CompletionStage<StatementResult> list(String tenant) {
        CatalogImage image = catalog.image();
        List<CompletableFuture<List<TableSize>>> asked = new ArrayList<>();
        for (NodeRecord node : image.nodes().values()) {
            asked.add(
                    node.id().equals(self)
                            ? CompletableFuture.completedFuture(here.get())
                            : calls.ask(node).toCompletableFuture());
        }
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                .handle((done, failure) ->
                        result(image, tenant, failure == null ? Optional.of(byTable(asked)) : Optional.empty()));
    }

    private static Map<Integer, TableSize> byTable(List<CompletableFuture<List<TableSize>>> answers) {
        Map<Integer, TableSize> all = new HashMap<>();
        answers.forEach(answer -> answer.join().forEach(size -> all.merge(size.tableId(), size, AllTables::plus)));
        return all;
    }

    private static TableSize plus(TableSize a, TableSize b) {
        return new TableSize(
                a.tableId(),
                a.files() + b.files(),
                a.fileRows() + b.fileRows(),
                a.fileBytes() + b.fileBytes(),
                a.bufferedRows() + b.bufferedRows());
    }

    /** @param sizes empty where some node did not answer: a part of a sum is no sum */
    private static StatementResult result(CatalogImage image, String tenant, Optional<Map<Integer, TableSize>> sizes) {
        List<@Nullable Object[]> rows = new ArrayList<>();
        image.tables(tenant).stream()
                .sorted(Comparator.comparing(TableSchema::name))
                .forEach(table -> rows.add(row(table, sizes)));
        return new StatementResult(COLUMNS, rows, Optional.empty());
    }

    private static @Nullable Object[] row(TableSchema table, Optional<Map<Integer, TableSize>> sizes) {
        TableSize size = sizes.map(
                        known -> known.getOrDefault(table.tableId(), new TableSize(table.tableId(), 0, 0, 0, 0)))
                .orElse(null);
        return new @Nullable Object[] {
            table.name(),
            (long) table.version(),
            table.strict() ? "strict" : "open",
            (long) table.columns().size(),
            size == null ? null : size.fileRows() + size.bufferedRows(),
            size == null ? null : (long) size.files(),
            size == null ? null : size.fileBytes()
        };
    }
}
