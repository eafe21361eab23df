package dev.weir.partition.engine;

import dev.weir.partition.entry.Definitions;
import dev.weir.partition.entry.RecordReader;
import dev.weir.partition.feed.ChangeBatch;
import dev.weir.wal.segment.SegmentRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The newest records of a partition, in memory: readers that keep up with the log share them, decoded once.
 *
 * <p>Bounded by encoded bytes; the newest record is always kept. Threading: the apply thread adds, any thread reads. The lock is held to copy
 * references, never to decode or to wait.
 */
final class RecentRecords {
    private final int bytesMax;
    /** By first seq. */
    private final TreeMap<Long, Recent> records = new TreeMap<>();

    private int bytes;

    /** A record whose batches are decoded when first asked for; racing readers may decode it twice. */
    static final class Recent {
        private final SegmentRecord record;
        private volatile @Nullable List<ChangeBatch> batches;

        private Recent(SegmentRecord record) {
            this.record = record;
        }

        SegmentRecord record() {
            return record;
        }

        List<ChangeBatch> batches(int partition, Definitions definitions) {
            List<ChangeBatch> known = batches;
            if (known == null) {
                known = RecordReader.read(partition, record, record.firstSeq(), definitions);
                batches = known;
            }
            return known;
        }
    }

    RecentRecords(int bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** @param record whose payload nobody changes any more */
    synchronized void add(SegmentRecord record) {
        records.put(record.firstSeq(), new Recent(record));
        bytes += record.payload().remaining();
        while (bytes > bytesMax && records.size() > 1) {
            bytes -= records.pollFirstEntry().getValue().record.payload().remaining();
        }
    }

    synchronized void clear() {
        records.clear();
        bytes = 0;
    }

    /** The records from the one with {@code fromSeq} on, of about so many bytes, at least one; null where it is not here. */
    synchronized @Nullable List<Recent> from(long fromSeq, int maxBytes) {
        Map.Entry<Long, Recent> first = records.floorEntry(fromSeq);
        if (first == null) {
            return null;
        }
        List<Recent> found = new ArrayList<>();
        int room = maxBytes;
        for (Recent each : records.tailMap(first.getKey()).values()) {
            if (room <= 0 && !found.isEmpty()) {
                break;
            }
            if (each.record.nextSeq() > fromSeq) {
                found.add(each);
                room -= each.record.payload().remaining();
            }
        }
        return found.isEmpty() ? null : found;
    }
}
