package dev.weir.partition.write;

import dev.weir.partition.model.Tag;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A delete in one partition.
 *
 * @param tags of exactly the series to delete (empty list: the untagged one); null drops the whole table there, or deletes a range
 * @param range what of the table to delete; null where a series or the table is meant
 * @param changeId the same in every partition that one user's delete touches
 */
public record DeleteRequest(
        int partition,
        int generation,
        BatchId batch,
        String tenant,
        int tableId,
        String measurement,
        @Nullable List<Tag> tags,
        @Nullable Range range,
        String changeId) {
    public DeleteRequest {
        if (tags != null && range != null) {
            throw new IllegalArgumentException("delete: expected a series or a range, found both");
        }
    }

    /** A delete of a series or, without tags, of the table. */
    public DeleteRequest(
            int partition,
            int generation,
            BatchId batch,
            String tenant,
            int tableId,
            String measurement,
            @Nullable List<Tag> tags,
            String changeId) {
        this(partition, generation, batch, tenant, tableId, measurement, tags, null, changeId);
    }

    /**
     * Rows of all series with certain tags, between two times.
     *
     * @param tags that must be equal, all of them; none: every series
     * @param fromNanos first timestamp deleted
     * @param toNanos last timestamp deleted
     * @param byRetention they are too old to be kept; else a statement deletes them
     * @param asOfSeq not 0: they are set aside as they were before this seq; void (CHANGED) where one was written since
     */
    public record Range(List<Tag> tags, long fromNanos, long toNanos, boolean byRetention, long asOfSeq) {
        public Range {
            tags = List.copyOf(tags);
            if (asOfSeq < 0 || (asOfSeq > 0 && byRetention)) {
                throw new IllegalArgumentException(
                        "delete: expected no retention and a seq of 0 or more, found " + asOfSeq);
            }
        }

        /** Whatever is there. */
        public Range(List<Tag> tags, long fromNanos, long toNanos, boolean byRetention) {
            this(tags, fromNanos, toNanos, byRetention, 0);
        }
    }
}
