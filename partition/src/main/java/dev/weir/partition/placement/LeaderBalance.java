package dev.weir.partition.placement;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Chooses who leads what, by putting the preferred leader first in each list of replicas: evenly over the nodes, as far as the replicas
 * allow. Starts from the choice there is and moves leads along the shortest chain from a node with too many to one with too few.
 */
final class LeaderBalance {
    private final List<List<String>> partitions = new ArrayList<>();
    private final boolean[] movable;
    private final Map<String, Integer> leads = new HashMap<>();

    /**
     * @param replicas of each partition, the present preferred leader first
     * @param movable which of them may get another preferred leader
     */
    LeaderBalance(List<List<String>> replicas, boolean[] movable) {
        this.movable = movable.clone();
        for (List<String> nodes : replicas) {
            partitions.add(new ArrayList<>(nodes));
            leads.merge(nodes.getFirst(), 1, Integer::sum);
            nodes.forEach(node -> leads.putIfAbsent(node, 0));
        }
    }

    /** The lists, with leaders balanced. */
    List<List<String>> balanced() {
        boolean moved = true;
        while (moved) {
            moved = false;
            for (String node : leads.keySet().stream().sorted().toList()) {
                moved |= relieve(node);
            }
        }
        return partitions;
    }

    /** Moves one lead away from a node, along a chain that ends at a node with at least two fewer. */
    private boolean relieve(String from) {
        Map<String, Step> reachedBy = new HashMap<>();
        ArrayDeque<String> queue = new ArrayDeque<>(List.of(from));
        while (!queue.isEmpty()) {
            String node = queue.remove();
            if (leadsOf(node) <= leadsOf(from) - 2) {
                moveAlong(from, node, reachedBy);
                return true;
            }
            for (int partition = 0; partition < partitions.size(); partition++) {
                if (!movable[partition] || !partitions.get(partition).getFirst().equals(node)) {
                    continue;
                }
                for (String replica : partitions.get(partition)) {
                    if (!replica.equals(from) && reachedBy.putIfAbsent(replica, new Step(node, partition)) == null) {
                        queue.add(replica);
                    }
                }
            }
        }
        return false;
    }

    private void moveAlong(String from, String to, Map<String, Step> reachedBy) {
        String node = to;
        while (!node.equals(from)) {
            Step step = step(reachedBy.get(node), node);
            List<String> replicas = partitions.get(step.partition);
            Collections.swap(replicas, 0, replicas.indexOf(node));
            node = step.from;
        }
        leads.merge(from, -1, Integer::sum);
        leads.merge(to, 1, Integer::sum);
    }

    private int leadsOf(String node) {
        return leads.getOrDefault(node, 0);
    }

    private static Step step(@Nullable Step step, String node) {
        if (step == null) {
            throw new IllegalStateException("no chain leads to " + node);
        }
        return step;
    }

    private record Step(String from, int partition) {}
}
