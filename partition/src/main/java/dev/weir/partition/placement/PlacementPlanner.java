package dev.weir.partition.placement;

import dev.weir.partition.catalog.PartitionRecord;
import dev.weir.partition.catalog.SlotRange;
import dev.weir.partition.model.SeriesHash;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which node holds which replica. Pure: the same arguments give the same plan on every node, so two planners that overlap agree.
 *
 * <p>The first node in a list of replicas is the one that should lead.
 */
public final class PlacementPlanner {
    private PlacementPlanner() {}

    /** A partition that gets more replicas: those that it has, in whatever order, and new ones. */
    public record Fill(int partition, List<String> replicas) {
        public Fill {
            replicas = List.copyOf(replicas);
        }
    }

    /**
     * The map at birth: slots split evenly, replicas and preferred leaders balanced within one of each other.
     *
     * @param partitions how many, at most one for each slot
     * @param replicationFactor wished; fewer replicas where there are fewer nodes
     */
    public static List<PartitionRecord> birth(int partitions, int replicationFactor, Collection<String> nodes) {
        if (partitions < 1 || partitions > SeriesHash.SLOTS || replicationFactor < 1 || nodes.isEmpty()) {
            throw new IllegalArgumentException(partitions + " partitions, " + replicationFactor + " replicas, "
                    + nodes.size() + " nodes: expected 1 to " + SeriesHash.SLOTS
                    + " partitions and at least one replica and node");
        }
        ReplicaLoad load = new ReplicaLoad(nodes);
        List<List<String>> replicas = new ArrayList<>();
        for (int i = 0; i < partitions; i++) {
            List<String> chosen = load.least(replicationFactor, Set.of());
            chosen.forEach(load::add);
            replicas.add(chosen);
        }
        List<List<String>> balanced = new LeaderBalance(replicas, all(partitions)).balanced();
        List<PartitionRecord> map = new ArrayList<>();
        for (int id = 0; id < partitions; id++) {
            map.add(new PartitionRecord(id, 0, List.of(slots(id, partitions)), balanced.get(id), List.of()));
        }
        return map;
    }

    /**
     * Replicas to add where partitions have fewer than they should; nothing is taken away or moved, however uneven the load. Partitions that
     * have ended get none.
     *
     * @param nodes that may hold replicas
     */
    public static List<Fill> fill(
            Collection<PartitionRecord> partitions, int replicationFactor, Collection<String> nodes) {
        ReplicaLoad load = new ReplicaLoad(nodes);
        List<PartitionRecord> live = new ArrayList<>();
        for (PartitionRecord partition : partitions) {
            if (!partition.slots().isEmpty()) {
                live.add(partition);
                partition.replicas().forEach(load::add);
            }
        }
        List<List<String>> after = new ArrayList<>();
        boolean[] changed = new boolean[live.size()];
        for (int i = 0; i < live.size(); i++) {
            List<String> replicas = new ArrayList<>(live.get(i).replicas());
            List<String> added = load.least(Math.max(0, replicationFactor - replicas.size()), new HashSet<>(replicas));
            added.forEach(load::add);
            replicas.addAll(added);
            after.add(replicas);
            changed[i] = !added.isEmpty();
        }
        List<List<String>> balanced = new LeaderBalance(after, changed).balanced();
        List<Fill> fills = new ArrayList<>();
        for (int i = 0; i < live.size(); i++) {
            if (changed[i]) {
                fills.add(new Fill(live.get(i).id(), balanced.get(i)));
            }
        }
        return fills;
    }

    private static SlotRange slots(int partition, int partitions) {
        return new SlotRange((int) ((long) partition * SeriesHash.SLOTS / partitions), (int)
                ((long) (partition + 1) * SeriesHash.SLOTS / partitions));
    }

    private static boolean[] all(int length) {
        boolean[] all = new boolean[length];
        Arrays.fill(all, true);
        return all;
    }
}
