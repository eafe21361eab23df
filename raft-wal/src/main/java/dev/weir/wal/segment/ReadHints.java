package dev.weir.wal.segment;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Where recent reads ended, so that a reader who goes on from there need not search. A few slots, overwritten without order: a
 * hint that is gone costs a search and nothing else.
 */
final class ReadHints {
    private static final int SLOTS = 32;

    private final AtomicReferenceArray<@Nullable Hint> slots = new AtomicReferenceArray<>(SLOTS);

    void put(Segment segment, SparseIndex.Point point) {
        slots.set(slot(point.seq()), new Hint(segment, point));
    }

    /** Where the record of this segment that begins with {@code seq} stands, if that is known; else the segment's first record. */
    SparseIndex.Point find(Segment segment, long seq) {
        Hint hint = slots.get(slot(seq));
        return hint != null && hint.segment == segment && hint.point.seq() == seq
                ? hint.point
                : new SparseIndex.Point(segment.file().firstSeq(), SegmentFormat.FILE_HEADER_BYTES);
    }

    private static int slot(long seq) {
        return (int) ((seq * 0x9E3779B97F4A7C15L) >>> 32) & (SLOTS - 1);
    }

    private record Hint(Segment segment, SparseIndex.Point point) {}
}
