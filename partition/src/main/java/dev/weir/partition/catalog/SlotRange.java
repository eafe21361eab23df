package dev.weir.partition.catalog;

import dev.weir.partition.model.SeriesHash;

/** Slots {@code from} (inclusive) to {@code to} (exclusive). */
public record SlotRange(int from, int to) {
    public SlotRange {
        if (from < 0 || to <= from || to > SeriesHash.SLOTS) {
            throw new IllegalArgumentException(
                    "slots " + from + " to " + to + ", expected 0 <= from < to <= " + SeriesHash.SLOTS);
        }
    }

    public boolean contains(int slot) {
        return slot >= from && slot < to;
    }
}
