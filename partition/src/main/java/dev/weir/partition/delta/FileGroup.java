package dev.weir.partition.delta;

import dev.weir.partition.entry.StoredFile;

/**
 * The files of a table that may hold the same points: those of one partition and one UTC day. They are published together or not at all.
 *
 * @param day since 1970
 */
record FileGroup(int partition, long day) {
    private static final long DAY_NANOS = 86_400_000_000_000L;

    static FileGroup of(int partition, StoredFile file) {
        return new FileGroup(partition, Math.floorDiv(file.minTimestampNanos(), DAY_NANOS));
    }
}
