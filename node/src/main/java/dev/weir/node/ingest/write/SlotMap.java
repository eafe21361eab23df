package dev.weir.node.ingest.write;

import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.PartitionRecord;
import dev.weir.partition.catalog.SlotRange;
import dev.weir.partition.model.SeriesHash;
import java.util.ArrayList;
import java.util.List;

/** The partition of each slot, spread out of one partition map. Immutable. */
final class SlotMap {
    private final long epoch;
    private final List<PartitionRecord> partitions = new ArrayList<>();
    /** Place in {@link #partitions} plus one; 0 where no partition owns the slot. */
    private final short[] placeOfSlot = new short[SeriesHash.SLOTS];

    SlotMap(CatalogImage image) {
        epoch = image.epoch();
        for (PartitionRecord partition : image.partitions().values()) {
            if (partition.slots().isEmpty()) {
                continue;
            }
            partitions.add(partition);
            for (SlotRange range : partition.slots()) {
                for (int slot = range.from(); slot < range.to(); slot++) {
                    placeOfSlot[slot] = (short) partitions.size();
                }
            }
        }
    }

    long epoch() {
        return epoch;
    }

    /** How many partitions own slots. */
    int size() {
        return partitions.size();
    }

    PartitionRecord partition(int place) {
        return partitions.get(place);
    }

    /** The place of a slot's partition, -1 where none owns it, as before the cluster's birth. */
    int placeOf(int slot) {
        return placeOfSlot[slot] - 1;
    }
}
