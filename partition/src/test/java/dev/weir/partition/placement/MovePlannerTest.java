package dev.weir.partition.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.catalog.OperationAction.MoveReplica;
import dev.weir.partition.catalog.PartitionRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class MovePlannerTest {
    private static final int SEEDS = 500;
    private static final int ROUNDS_MAX = 8;

    @Test
    void rebalancingEndsWithNodesThatDifferByOneReplica() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            List<String> old = nodes(1 + random.nextInt(6));
            List<String> all = nodes(old.size() + random.nextInt(5));
            List<PartitionRecord> map = PlacementPlanner.birth(1 + random.nextInt(48), 1 + random.nextInt(4), old);
            int rounds = 0;
            for (List<MoveReplica> moves = MovePlanner.rebalance(map, all);
                    !moves.isEmpty();
                    moves = MovePlanner.rebalance(map, all)) {
                assertThat(++rounds).as("seed " + seed).isLessThanOrEqualTo(ROUNDS_MAX);
                int before = unevenness(map, all);
                map = moved(map, moves);
                assertThat(unevenness(map, all)).as("seed " + seed).isLessThan(before);
            }
            assertThat(spread(map, all)).as("seed " + seed).isLessThanOrEqualTo(1);
        }
    }

    @Test
    void whatIsEvenStaysAsItIs() {
        assertThat(MovePlanner.rebalance(PlacementPlanner.birth(16, 3, nodes(5)), nodes(5)))
                .isEmpty();
    }

    @Test
    void fourNodesGetAFifthThatLeadsItsShare() {
        List<PartitionRecord> map = PlacementPlanner.birth(20, 3, nodes(4));
        List<MoveReplica> moves = MovePlanner.rebalance(map, nodes(5));
        assertThat(moves).hasSize(12).allSatisfy(move -> assertThat(move.to()).isEqualTo("n5"));
        assertThat(moved(map, moves).stream()
                        .filter(partition -> partition.replicas().getFirst().equals("n5")))
                .hasSize(4);
    }

    @Test
    void drainingLeavesNothingThatAnotherNodeCouldTake() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            List<String> nodes = nodes(1 + random.nextInt(7));
            String gone = nodes.get(random.nextInt(nodes.size()));
            List<PartitionRecord> map = PlacementPlanner.birth(1 + random.nextInt(48), 1 + random.nextInt(4), nodes);
            MovePlanner.Drain drain = MovePlanner.drain(gone, map, nodes);
            List<PartitionRecord> after = moved(map, drain.moves());
            List<Integer> stays = after.stream()
                    .filter(partition -> partition.replicas().contains(gone))
                    .map(PartitionRecord::id)
                    .toList();
            assertThat(stays).as("seed " + seed).isEqualTo(drain.left());
            assertThat(drain.left().isEmpty() || map.getFirst().replicas().size() == nodes.size())
                    .isTrue();
            List<String> others = new ArrayList<>(nodes);
            others.remove(gone);
            if (map.getFirst().replicas().size() == 1 && !others.isEmpty()) {
                assertThat(spread(after, others)).as("any node can take any").isLessThanOrEqualTo(1);
            }
        }
    }

    private static List<String> nodes(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(i -> "n" + i).toList();
    }

    private static List<PartitionRecord> moved(List<PartitionRecord> map, List<MoveReplica> moves) {
        List<PartitionRecord> after = new ArrayList<>(map);
        for (MoveReplica move : moves) {
            PartitionRecord before = after.get(move.partition());
            assertThat(before).as("moved once").isSameAs(map.get(move.partition()));
            assertThat(before.replicas()).contains(move.from()).doesNotContain(move.to());
            List<String> replicas = new ArrayList<>(before.replicas());
            Collections.replaceAll(replicas, move.from(), move.to());
            after.set(
                    move.partition(),
                    new PartitionRecord(before.id(), before.generation(), before.slots(), replicas, before.parents()));
        }
        return after;
    }

    private static int spread(List<PartitionRecord> map, List<String> nodes) {
        Collection<Integer> counts = counts(map, nodes).values();
        return Collections.max(counts) - Collections.min(counts);
    }

    /** The sum of squares: each move from more to less makes it smaller. */
    private static int unevenness(List<PartitionRecord> map, List<String> nodes) {
        return counts(map, nodes).values().stream()
                .mapToInt(count -> count * count)
                .sum();
    }

    private static Map<String, Integer> counts(List<PartitionRecord> map, List<String> nodes) {
        Map<String, Integer> counts = new TreeMap<>();
        nodes.forEach(node -> counts.put(node, 0));
        map.forEach(partition -> partition.replicas().forEach(node -> counts.merge(node, 1, Integer::sum)));
        return counts;
    }
}
