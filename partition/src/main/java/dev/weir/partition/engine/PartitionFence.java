package dev.weir.partition.engine;

import dev.weir.partition.catalog.SlotRange;
import java.util.List;

/**
 * What a partition owns, as its own log says; rows of other slots or generations are not stored.
 *
 * @param slots that the partition owns
 * @param epoch of the partition map that gave it these slots
 * @param generation raised by a forced recovery
 */
public record PartitionFence(List<SlotRange> slots, long epoch, int generation) {
    public PartitionFence {
        slots = List.copyOf(slots);
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
