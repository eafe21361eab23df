package dev.weir.partition.placement;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** How many replicas each node holds while a plan is being made. Owned by one plan. */
final class ReplicaLoad {
    private final Map<String, Integer> replicas = new HashMap<>();
    private final TreeSet<String> nodes;

    ReplicaLoad(Collection<String> nodes) {
        this.nodes = new TreeSet<>(nodes);
    }

    void add(String node) {
        replicas.merge(node, 1, Integer::sum);
    }

    int of(String node) {
        return replicas.getOrDefault(node, 0);
    }

    /** The {@code count} nodes with the fewest replicas that are not excepted; fewer where there are not so many. */
    List<String> least(int count, Collection<String> except) {
        return nodes.stream()
                .filter(node -> !except.contains(node))
                .sorted(Comparator.comparingInt(this::of).thenComparing(Comparator.naturalOrder()))
                .limit(count)
                .toList();
    }
}
