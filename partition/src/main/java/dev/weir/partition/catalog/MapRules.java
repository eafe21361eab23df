package dev.weir.partition.catalog;

import dev.weir.partition.model.SeriesHash;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** What a partition map must hold: every slot has one owner, every replica is on a node of the cluster, none twice. */
final class MapRules {
    private MapRules() {}

    static Optional<String> fault(CatalogCommand.Birth birth) {
        if (birth.clusterId().isEmpty() || birth.replicationFactor() < 1) {
            return Optional.of("birth: expected a cluster id and a replication factor of at least 1, found '"
                    + birth.clusterId() + "' and " + birth.replicationFactor());
        }
        Set<String> nodes = new HashSet<>();
        for (NodeRecord node : birth.nodes()) {
            if (!nodes.add(node.id())) {
                return Optional.of("birth: node " + node.id() + " is named twice");
            }
        }
        boolean[] owned = new boolean[SeriesHash.SLOTS];
        for (PartitionRecord partition : birth.partitions()) {
            Optional<String> fault = replicasFault(partition, nodes).or(() -> claim(partition, owned));
            if (fault.isPresent()) {
                return fault;
            }
        }
        for (int slot = 0; slot < owned.length; slot++) {
            if (!owned[slot]) {
                return Optional.of("birth: slot " + slot + " has no owner");
            }
        }
        return Optional.empty();
    }

    static Optional<String> replicasFault(PartitionRecord partition, Set<String> nodes) {
        Set<String> distinct = new HashSet<>(partition.replicas());
        if (distinct.isEmpty() || distinct.size() != partition.replicas().size() || !nodes.containsAll(distinct)) {
            return Optional.of("partition " + partition.id() + ": replicas " + partition.replicas()
                    + ", expected distinct nodes of " + nodes);
        }
        return Optional.empty();
    }

    private static Optional<String> claim(PartitionRecord partition, boolean[] owned) {
        for (SlotRange range : partition.slots()) {
            for (int slot = range.from(); slot < range.to(); slot++) {
                if (owned[slot]) {
                    return Optional.of("birth: slot " + slot + " has two owners");
                }
                owned[slot] = true;
            }
        }
        return Optional.empty();
    }
}
