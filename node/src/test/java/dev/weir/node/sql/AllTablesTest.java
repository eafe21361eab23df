package dev.weir.node.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.node.ingest.FoldingCatalog;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.engine.TableSize;
import dev.weir.partition.model.TableSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A sum is of all partitions, or it is none. */
class AllTablesTest {
    private static final int PARTITIONS = 4;

    private final FoldingCatalog catalog = new FoldingCatalog(PARTITIONS);
    private final AtomicInteger asked = new AtomicInteger();
    private int tableId;

    @BeforeEach
    void table() {
        catalog.propose(new CatalogCommand.CreateTable("acme", "m", false, false, List.of(), TableSettings.DEFAULTS))
                .toCompletableFuture()
                .join();
        tableId = catalog.image().table("acme", "m").orElseThrow().tableId();
    }

    private Object[] row(Duration patience, IntFunction<CompletionStage<Map<Integer, List<TableSize>>>> answers) {
        AllTables tables = new AllTables(
                "n1",
                catalog,
                () -> answers.apply(asked.incrementAndGet()),
                node -> CompletableFuture.failedFuture(new IllegalStateException("no other node")),
                patience,
                Runnable::run);
        return tables.list("acme").toCompletableFuture().join().rows().getFirst();
    }

    private CompletionStage<Map<Integer, List<TableSize>>> sizes(int... partitions) {
        Map<Integer, List<TableSize>> sizes = new TreeMap<>();
        for (int partition : partitions) {
            sizes.put(partition, List.of(new TableSize(tableId, 1, 10, 100, 1)));
        }
        return CompletableFuture.completedFuture(sizes);
    }

    @Test
    void asksAgainWhileAPartitionHasNoLeader() {
        Object[] row = row(Duration.ofSeconds(30), time -> time < 3 ? sizes(0, 1, 3) : sizes(2));
        assertThat(row).containsExactly("m", 1L, "open", 0L, 44L, 4L, 400L);
        assertThat(asked).hasValue(3);
    }

    @Test
    void asksAgainWhereANodeDidNotAnswer() {
        Object[] row = row(
                Duration.ofSeconds(30),
                time -> time < 2
                        ? CompletableFuture.failedFuture(new IllegalStateException("down"))
                        : sizes(0, 1, 2, 3));
        assertThat(row[4]).isEqualTo(44L);
    }

    @Test
    void saysNothingRatherThanTooLittle() {
        Object[] row = row(Duration.ZERO, time -> sizes(0, 1, 3));
        assertThat(row).containsExactly("m", 1L, "open", 0L, null, null, null);
    }
}
