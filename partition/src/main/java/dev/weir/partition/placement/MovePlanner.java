package dev.weir.partition.placement;

import dev.weir.partition.catalog.OperationAction.MoveReplica;
import dev.weir.partition.catalog.PartitionRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which replicas have to go where. Pure, and the same on every node, as {@link PlacementPlanner}. Each partition is moved once at most: where that is not enough, a
 * plan made afterwards goes on. Who is preferred to lead a partition gives that to whoever gets the replica.
 */
public final class MovePlanner {
    private final List<PartitionRecord> live;
    private final Set<String> takers;
    /** By node, what it holds once all moves so far are made. */
    private final Map<String, Held> held = new TreeMap<>();

    private final Set<Integer> moved = new HashSet<>();
    private final List<MoveReplica> moves = new ArrayList<>();

    private static final class Held {
        int replicas;
        int leads;
    }

    private MovePlanner(Collection<PartitionRecord> partitions, Collection<String> nodes) {
        this.live = partitions.stream()
                .filter(partition -> !partition.slots().isEmpty())
                .sorted(Comparator.comparingInt(PartitionRecord::id))
                .toList();
        this.takers = Set.copyOf(nodes);
        nodes.forEach(node -> held.put(node, new Held()));
        for (PartitionRecord partition : live) {
            for (String node : partition.replicas()) {
                held.computeIfAbsent(node, any -> new Held()).replicas++;
            }
            if (!partition.replicas().isEmpty()) {
                held(partition.replicas().getFirst()).leads++;
            }
        }
    }

    /**
     * Moves after which nodes differ by one replica at most, where each partition's being moved once is enough for that: as few as possible.
     *
     * @param nodes all that may hold replicas
     */
    public static List<MoveReplica> rebalance(Collection<PartitionRecord> partitions, Collection<String> nodes) {
        MovePlanner plan = new MovePlanner(partitions, nodes);
        while (plan.levelOnce()) {
            // Each round moves one.
        }
        return plan.moves;
    }

    /**
     * What takes everything off a node.
     *
     * @param moves of what can go elsewhere
     * @param left partitions that all other nodes hold already
     */
    public record Drain(List<MoveReplica> moves, List<Integer> left) {
        public Drain {
            moves = List.copyOf(moves);
            left = List.copyOf(left);
        }
    }

    /** @param nodes all that may hold replicas; the one that is to be empty counts not */
    public static Drain drain(String node, Collection<PartitionRecord> partitions, Collection<String> nodes) {
        MovePlanner plan = new MovePlanner(partitions, nodes);
        List<Integer> left = new ArrayList<>();
        for (PartitionRecord partition : plan.live) {
            if (partition.replicas().contains(node)) {
                Optional<String> to = plan.held.keySet().stream()
                        .filter(other -> plan.takers.contains(other)
                                && !other.equals(node)
                                && !partition.replicas().contains(other))
                        .min(plan.byLoad());
                to.ifPresentOrElse(other -> plan.move(partition, node, other), () -> left.add(partition.id()));
            }
        }
        return new Drain(plan.moves, left);
    }

    private Comparator<String> byLoad() {
        return Comparator.comparingInt((String node) -> held(node).replicas)
                .thenComparingInt(node -> held(node).leads)
                .thenComparing(Comparator.naturalOrder());
    }

    /** From one of those with most to one of those with fewest, of those pairs that have a partition to move. */
    private boolean levelOnce() {
        List<String> byLoad = held.keySet().stream().sorted(byLoad()).toList();
        for (String from : byLoad.reversed()) {
            for (String to : byLoad) {
                if (held(from).replicas - held(to).replicas <= 1) {
                    break;
                }
                Optional<PartitionRecord> found = takers.contains(to) ? movable(from, to) : Optional.empty();
                if (found.isPresent()) {
                    move(found.get(), from, to);
                    return true;
                }
            }
        }
        return false;
    }

    /** One that the giver leads where it leads more than the getter; one that it does not lead otherwise. */
    private Optional<PartitionRecord> movable(String from, String to) {
        boolean withLead = held(from).leads > held(to).leads;
        return live.stream()
                .filter(partition -> !moved.contains(partition.id())
                        && partition.replicas().contains(from)
                        && !partition.replicas().contains(to))
                .min(Comparator.comparingInt(
                        partition -> partition.replicas().getFirst().equals(from) == withLead ? 0 : 1));
    }

    private void move(PartitionRecord partition, String from, String to) {
        moved.add(partition.id());
        moves.add(new MoveReplica(partition.id(), from, to));
        held(from).replicas--;
        held(to).replicas++;
        if (partition.replicas().getFirst().equals(from)) {
            held(from).leads--;
            held(to).leads++;
        }
    }

    private Held held(String node) {
        return held.computeIfAbsent(node, any -> new Held());
    }
}
