package dev.weir.node.sql;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.partition.catalog.PartitionRecord;
import dev.weir.partition.engine.TableSize;
import dev.weir.partition.model.TableSchema;
import dev.weir.query.sql.statement.StatementResult;
import dev.weir.query.sql.statement.StatementResult.Column;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lists a tenant's tables with what they have, as the leaders of all partitions say. While one has no leader that answers, all are asked again, for a
 * while. Any thread.
 */
public final class AllTables {
    private static final List<Column> COLUMNS = List.of(
            new Column("name", "VARCHAR"),
            new Column("schema_version", "BIGINT"),
            new Column("schema", "VARCHAR"),
            new Column("columns", "BIGINT"),
            new Column("rows", "BIGINT"),
            new Column("files", "BIGINT"),
            new Column("bytes", "BIGINT"));

    private static final long PAUSE_MS = 200;

    private final String self;
    private final Catalog catalog;
    private final Supplier<CompletionStage<Map<Integer, List<TableSize>>>> here;
    private final Function<NodeRecord, CompletionStage<Map<Integer, List<TableSize>>>> calls;
    private final Duration patience;
    private final Executor executor;

    /**
     * @param here sizes in the partitions that this node leads
     * @param calls asks another node for its
     * @param patience until all partitions have answered
     */
    public AllTables(
            String self,
            Catalog catalog,
            Supplier<CompletionStage<Map<Integer, List<TableSize>>>> here,
            Function<NodeRecord, CompletionStage<Map<Integer, List<TableSize>>>> calls,
            Duration patience,
            Executor executor) {
        this.self = self;
        this.catalog = catalog;
        this.here = here;
        this.calls = calls;
        this.patience = patience;
        this.executor = executor;
    }

    CompletionStage<StatementResult> list(String tenant) {
        CompletableFuture<Optional<Map<Integer, TableSize>>> sizes = new CompletableFuture<>();
        gather(sizes, new ConcurrentHashMap<>(), System.nanoTime());
        return sizes.thenApply(known -> result(catalog.image(), tenant, known));
    }

    /** @param known of each partition that has answered, the last that it said */
    private void gather(
            CompletableFuture<Optional<Map<Integer, TableSize>>> result,
            Map<Integer, List<TableSize>> known,
            long startNanos) {
        CompletableFuture<?>[] asked = catalog.image().nodes().values().stream()
                .map(node -> ask(node)
                        .thenAccept(known::putAll)
                        .toCompletableFuture()
                        .exceptionally(silent -> null))
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(asked).thenRun(() -> {
            if (known.keySet().containsAll(partitions())) {
                result.complete(Optional.of(byTable(known)));
            } else if (System.nanoTime() - startNanos > patience.toNanos()) {
                result.complete(Optional.empty());
            } else {
                CompletableFuture.delayedExecutor(PAUSE_MS, TimeUnit.MILLISECONDS, executor)
                        .execute(() -> gather(result, known, startNanos));
            }
        });
    }

    private CompletionStage<Map<Integer, List<TableSize>>> ask(NodeRecord node) {
        return node.id().equals(self) ? here.get() : calls.apply(node);
    }

    private Set<Integer> partitions() {
        return catalog.image().partitions().values().stream()
                .filter(partition -> !partition.slots().isEmpty())
                .map(PartitionRecord::id)
                .collect(Collectors.toSet());
    }

    private static Map<Integer, TableSize> byTable(Map<Integer, List<TableSize>> partitions) {
        Map<Integer, TableSize> all = new HashMap<>();
        partitions.values().forEach(sizes -> sizes.forEach(size -> all.merge(size.tableId(), size, AllTables::plus)));
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

    /** @param sizes empty where some partition did not answer: a part of a sum is no sum */
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
