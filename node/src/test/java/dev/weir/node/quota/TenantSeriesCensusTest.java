package dev.weir.node.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.CatalogFold;
import dev.weir.partition.catalog.CatalogLimits;
import dev.weir.partition.catalog.FoldedImage;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.partition.placement.PlacementPlanner;
import dev.weir.partition.write.TenantSeriesLimit;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two nodes, each holding half of eight partitions. */
final class TenantSeriesCensusTest {
    private static final int PARTITIONS = 8;

    private final FoldedImage image = born();
    private final Map<String, TenantSeriesCensus> nodes = new TreeMap<>();
    private final Map<Integer, Integer> series = new TreeMap<>();
    private boolean cut;

    @AfterEach
    void close() {
        nodes.values().forEach(TenantSeriesCensus::close);
    }

    @Test
    void refusesNothingWhileThereIsRoomAndStopsAtTheLimit() {
        for (long seed = 1; seed <= 20; seed++) {
            for (int limit : new int[] {10, 100, 5_000}) {
                begin(limit);
                long tried = 0;
                long stored = 0;
                long firstRefusal = -1;
                Random random = new Random(seed);
                while (tried < 2L * limit) {
                    nodes.values().forEach(TenantSeriesCensus::count);
                    for (int i = 0; i < Math.max(1, limit / 20); i++) {
                        boolean added = add(random.nextInt(PARTITIONS));
                        tried++;
                        stored += added ? 1 : 0;
                        firstRefusal = !added && firstRefusal < 0 ? stored : firstRefusal;
                    }
                }
                assertThat(firstRefusal)
                        .as("seed %s limit %s: first refusal", seed, limit)
                        .isGreaterThanOrEqualTo(limit * 95L / 100);
                assertThat(stored)
                        .as("seed %s limit %s: stored", seed, limit)
                        .isBetween(limit * 95L / 100, limit + Math.max(8, limit / 10L));
            }
        }
    }

    @Test
    void oneBodyOfManySeriesIsStoppedToo() {
        begin(1_000);
        nodes.values().forEach(TenantSeriesCensus::count);
        Random random = new Random(7);
        int stored = 0;
        for (int i = 0; i < 50_000; i++) {
            stored += add(random.nextInt(PARTITIONS)) ? 1 : 0;
        }
        assertThat(stored).isBetween(1_000, 1_500);
    }

    @Test
    void partitionsThatCannotBeCountedAreTakenToBeLikeTheOthers() {
        begin(800);
        cut = true;
        for (int partition = 0; partition < PARTITIONS; partition++) {
            series.put(partition, 100);
        }
        nodes.values().forEach(TenantSeriesCensus::count);
        assertThat(nodes.get("n1").limit(0, "t")).isEqualTo(new TenantSeriesLimit(800, 100));
        assertThat(nodes.get("n1").largest()).isEqualTo(800);
        assertThat(nodes.get("n1").near()).isEqualTo(1);
    }

    @Test
    void aTenantHasNoPartInTheSeriesOfAnother() {
        begin(100);
        series.put(0, 100);
        nodes.values().forEach(TenantSeriesCensus::count);
        nodes.values().forEach(TenantSeriesCensus::count);
        assertThat(nodes.get("n1").limit(0, "t")).isEqualTo(new TenantSeriesLimit(100, 100));
        assertThat(nodes.get("n1").limit(0, "other").here()).isPositive();
    }

    @Test
    void knowsNoLimitForAPartitionThatIsNotCountedYet() {
        begin(100);
        assertThat(nodes.get("n1").limit(0, "t")).isNull();
    }

    /** As the apply of a partition does it. */
    private boolean add(int partition) {
        TenantSeriesLimit limit =
                nodes.get(partition < PARTITIONS / 2 ? "n1" : "n2").limit(partition, "t");
        if (limit != null && series.get(partition) >= limit.here()) {
            return false;
        }
        series.merge(partition, 1, Integer::sum);
        return true;
    }

    private void begin(int limit) {
        close();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            series.put(partition, 0);
        }
        for (String id : List.of("n1", "n2")) {
            nodes.put(id, new TenantSeriesCensus(id, limit, () -> image, () -> held(id), this::ask));
        }
    }

    private Map<Integer, Map<String, Integer>> held(String id) {
        Map<Integer, Map<String, Integer>> counts = new HashMap<>();
        series.forEach((partition, count) -> {
            if (id.equals(partition < PARTITIONS / 2 ? "n1" : "n2")) {
                counts.put(partition, count == 0 ? Map.of() : Map.of("t", count));
            }
        });
        return counts;
    }

    private CompletionStage<Map<Integer, Map<String, Integer>>> ask(NodeRecord node) {
        return cut
                ? CompletableFuture.failedFuture(new IOException("no way to " + node.id()))
                : CompletableFuture.completedFuture(held(node.id()));
    }

    private static FoldedImage born() {
        List<NodeRecord> nodes = List.of(new NodeRecord("n1", "h", 1, 2, 3, 0), new NodeRecord("n2", "h", 4, 5, 6, 0));
        CatalogCommand birth =
                new CatalogCommand.Birth("c", 1, nodes, PlacementPlanner.birth(PARTITIONS, 1, List.of("n1", "n2")));
        return CatalogFold.step(FoldedImage.empty(), 1, CatalogLimits.DEFAULTS, birth)
                .image();
    }
}
