package dev.weir.partition.catalog;

import java.util.List;

/**
 * A partition as the map has it.
 *
 * @param id never reused
 * @param generation raised by a forced recovery; names the Raft group together with the id
 * @param slots that it owns; empty once it has ended
 * @param replicas node ids that hold it, voters all
 * @param parents partitions that ended in it
 */
public record PartitionRecord(
        int id, int generation, List<SlotRange> slots, List<String> replicas, List<Integer> parents) {
    public PartitionRecord {
        slots = List.copyOf(slots);
        replicas = List.copyOf(replicas);
        parents = List.copyOf(parents);
    }

    public boolean owns(int slot) {
        for (SlotRange range : slots) {
            if (range.contains(slot)) {
                return true;
            }
        }
        return false;
    }
}
