package dev.weir.wal.segment;

import java.util.Arrays;

/**
 * Every so often a record of one segment: its seq, commit time and offset. Immutable; the first point is the segment's first record.
 *
 * <p>A point is set at the first record that is {@link #STRIDE_BYTES} or more behind the point before it, so 64 MiB cost about 6 KiB.
 */
final class SparseIndex {
    static final int STRIDE_BYTES = 256 << 10;

    private final long[] seqs;
    private final long[] times;
    private final long[] offsets;

    private SparseIndex(long[] seqs, long[] times, long[] offsets) {
        this.seqs = seqs;
        this.times = times;
        this.offsets = offsets;
    }

    static SparseIndex startingAt(long seq, long committedAtNanos) {
        return new SparseIndex(
                new long[] {seq}, new long[] {committedAtNanos}, new long[] {SegmentFormat.FILE_HEADER_BYTES});
    }

    /** Whether a record at {@code offset} is far enough behind the last point to be the next one. */
    boolean wants(long offset) {
        return offset - offsets[offsets.length - 1] >= STRIDE_BYTES;
    }

    SparseIndex with(long seq, long committedAtNanos, long offset) {
        return new SparseIndex(append(seqs, seq), append(times, committedAtNanos), append(offsets, offset));
    }

    /** The last point at or before {@code seq}; the first one where there is none. */
    Point atOrBeforeSeq(long seq) {
        int found = Arrays.binarySearch(seqs, seq);
        return point(found >= 0 ? found : -found - 2);
    }

    /** The last point committed before {@code committedAtNanos}; the first one where there is none. */
    Point beforeTime(long committedAtNanos) {
        int found = Arrays.binarySearch(times, committedAtNanos);
        return point(found >= 0 ? found - 1 : -found - 2);
    }

    private Point point(int i) {
        int at = Math.max(i, 0);
        return new Point(seqs[at], offsets[at]);
    }

    private static long[] append(long[] values, long value) {
        long[] longer = Arrays.copyOf(values, values.length + 1);
        longer[values.length] = value;
        return longer;
    }

    /** Where the record that begins with {@code seq} stands. */
    record Point(long seq, long offset) {}
}
