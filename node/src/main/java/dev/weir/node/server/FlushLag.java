package dev.weir.node.server;

import java.time.InstantSource;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** How far files lag behind what was written, in the partitions that this node leads. Any thread. */
record FlushLag(Supplier<List<HeldPartition>> held, InstantSource clock) {
    /** Since the oldest row that no file holds was written; 0 where all are in files. */
    double seconds() {
        return held.get().stream()
                .filter(HeldPartition::leads)
                .mapToDouble(each -> seconds(each, clock))
                .max()
                .orElse(0);
    }

    /** Encoded, of the rows that no file holds. */
    long bytes() {
        return held.get().stream()
                .filter(HeldPartition::leads)
                .mapToLong(each -> each.replica().bufferedBytes())
                .sum();
    }

    static double seconds(HeldPartition partition, InstantSource clock) {
        OptionalLong oldest = partition.replica().oldestBufferedAtNanos();
        return oldest.isEmpty() ? 0 : Math.max(0, clock.millis() - oldest.getAsLong() / 1_000_000) / 1000.0;
    }
}
