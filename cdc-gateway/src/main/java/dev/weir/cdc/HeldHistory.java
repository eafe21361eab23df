package dev.weir.cdc;

import dev.weir.partition.catalog.LeaseRecord;
import dev.weir.partition.model.HistoryCursor;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Tables as they stood, held for a stream.
 *
 * @param partitions of them those that the stream carries, ascending
 * @param place where the stream is to begin
 * @param isNew taken for this stream: nobody else knows of it yet
 */
record HeldHistory(LeaseRecord lease, List<LeaseRecord.Held> partitions, HistoryCursor place, boolean isNew) {
    HeldHistory {
        partitions = List.copyOf(partitions);
    }

    /** Where the log goes on. */
    Position cut() {
        SortedMap<Integer, Long> next = new TreeMap<>();
        partitions.forEach(held -> next.put(held.partition(), held.cutSeq()));
        return Position.of(next);
    }
}
