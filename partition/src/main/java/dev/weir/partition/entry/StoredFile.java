package dev.weir.partition.entry;

import dev.weir.partition.catalog.SlotRange;
import java.util.List;

/**
 * A file in the object store, as a manifest names it.
 *
 * @param key in the store
 * @param sha256 of its bytes, 32 bytes
 * @param slots whose rows it may be read for
 * @param repeats a row of it has the series and timestamp of a row in a file that was flushed before: reading both means merging
 * @param deletesThroughSeq it reflects the deletes up to this seq; at least its last seq
 * @param schemaVersion of the table's schema that it was written under
 */
public record StoredFile(
        String key,
        long bytes,
        long rows,
        byte[] sha256,
        long minTimestampNanos,
        long maxTimestampNanos,
        long firstSeq,
        long lastSeq,
        long firstCommittedAtNanos,
        long lastCommittedAtNanos,
        List<SlotRange> slots,
        boolean repeats,
        long deletesThroughSeq,
        int schemaVersion) {
    public StoredFile {
        slots = List.copyOf(slots);
    }
}
