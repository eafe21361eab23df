package dev.weir.partition.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.partition.catalog.PartitionRecord;
import dev.weir.partition.model.SeriesHash;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

final class PlacementPlannerTest {
    private static final int SEEDS = 500;

    @Test
    void birthIsEvenInSlotsReplicasAndLeaders() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            List<String> nodes = nodes(1 + random.nextInt(9));
            int partitions = 1 + random.nextInt(64);
            int factor = 1 + random.nextInt(5);

            List<PartitionRecord> map = PlacementPlanner.birth(partitions, factor, nodes);

            String context = "seed " + seed + ": " + partitions + " partitions, rf " + factor + ", " + nodes;
            assertThat(map).as(context).hasSize(partitions);
            assertThat(owners(map)).as(context).containsOnly(1);
            assertThat(spread(
                            map,
                            p -> p.slots().getFirst().to()
                                    - p.slots().getFirst().from()))
                    .as(context)
                    .isLessThanOrEqualTo(1);
            for (PartitionRecord partition : map) {
                assertThat(partition.replicas())
                        .as(context)
                        .doesNotHaveDuplicates()
                        .hasSize(Math.min(factor, nodes.size()));
            }
            assertThat(spread(replicasByNode(map, nodes).values(), n -> n))
                    .as(context)
                    .isLessThanOrEqualTo(1);
            assertThat(spread(leadsByNode(map, nodes).values(), n -> n))
                    .as(context)
                    .isLessThanOrEqualTo(1);
        }
    }

    @Test
    void fillOnlyAddsAndReachesTheFactor() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            List<String> before = nodes(1 + random.nextInt(4));
            List<String> after = nodes(before.size() + random.nextInt(4));
            int factor = 1 + random.nextInt(4);
            List<PartitionRecord> map = PlacementPlanner.birth(1 + random.nextInt(32), factor, before);

            List<PlacementPlanner.Fill> fills = PlacementPlanner.fill(map, factor, after);

            String context = "seed " + seed + ": rf " + factor + ", " + before + " to " + after;
            List<PartitionRecord> filled = applied(map, fills);
            for (int i = 0; i < map.size(); i++) {
                assertThat(filled.get(i).replicas())
                        .as(context)
                        .doesNotHaveDuplicates()
                        .containsAll(map.get(i).replicas())
                        .hasSize(Math.min(factor, after.size()));
            }
            assertThat(PlacementPlanner.fill(filled, factor, after)).as(context).isEmpty();
        }
    }

    @Test
    void fillFromOneNodeToThreeBalancesLeaders() {
        List<PartitionRecord> map = PlacementPlanner.birth(8, 3, nodes(1));

        List<PartitionRecord> filled = applied(map, PlacementPlanner.fill(map, 3, nodes(3)));

        assertThat(leadsByNode(filled, nodes(3)).values()).containsExactlyInAnyOrder(3, 3, 2);
    }

    @Test
    void fillLeavesEndedPartitionsAlone() {
        PartitionRecord ended = new PartitionRecord(1, 0, List.of(), List.of("n1"), List.of());

        assertThat(PlacementPlanner.fill(List.of(ended), 3, nodes(3))).isEmpty();
    }

    @Test
    void refusesMorePartitionsThanSlots() {
        assertThatThrownBy(() -> PlacementPlanner.birth(SeriesHash.SLOTS + 1, 1, nodes(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 to 4096");
    }

    private static List<Integer> owners(List<PartitionRecord> map) {
        Integer[] owners = new Integer[SeriesHash.SLOTS];
        Arrays.fill(owners, 0);
        map.forEach(p -> p.slots().forEach(range -> {
            for (int slot = range.from(); slot < range.to(); slot++) {
                owners[slot]++;
            }
        }));
        return List.of(owners);
    }

    private static List<PartitionRecord> applied(List<PartitionRecord> map, List<PlacementPlanner.Fill> fills) {
        Map<Integer, List<String>> changed = new HashMap<>();
        fills.forEach(fill -> changed.put(fill.partition(), fill.replicas()));
        assertThat(changed).hasSameSizeAs(fills);
        List<PartitionRecord> after = new ArrayList<>();
        for (PartitionRecord p : map) {
            after.add(new PartitionRecord(
                    p.id(), p.generation(), p.slots(), changed.getOrDefault(p.id(), p.replicas()), p.parents()));
        }
        return after;
    }

    private static Map<String, Integer> replicasByNode(List<PartitionRecord> map, List<String> nodes) {
        Map<String, Integer> counts = new HashMap<>();
        nodes.forEach(node -> counts.put(node, 0));
        map.forEach(p -> p.replicas().forEach(node -> counts.merge(node, 1, Integer::sum)));
        return counts;
    }

    private static Map<String, Integer> leadsByNode(List<PartitionRecord> map, List<String> nodes) {
        Map<String, Integer> counts = new HashMap<>();
        nodes.forEach(node -> counts.put(node, 0));
        map.forEach(p -> counts.merge(p.replicas().getFirst(), 1, Integer::sum));
        return counts;
    }

    private static <T> int spread(Collection<T> items, Function<T, Integer> size) {
        List<Integer> sizes = items.stream().map(size).sorted().toList();
        return sizes.getLast() - sizes.getFirst();
    }

    private static List<String> nodes(int count) {
        List<String> nodes = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            nodes.add("n" + i);
        }
        return nodes;
    }
}
