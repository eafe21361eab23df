package dev.weir.wal.segment;

/**
 * How a {@link SegmentLog} cuts its files. Must be equal on all replicas of a log, else their files differ.
 *
 * @param segmentBytes a record begins a new segment where the current one has at least so many bytes; so a file is at most one record longer
 */
public record SegmentConfig(long segmentBytes) {
    /** Largest {@link #segmentBytes}. */
    public static final long SEGMENT_BYTES_MAX = 1L << 30;

    /** 64 MiB. */
    public static final SegmentConfig DEFAULT = new SegmentConfig(64L << 20);

    public SegmentConfig {
        if (segmentBytes < 1 || segmentBytes > SEGMENT_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "segmentBytes: expected 1 to " + SEGMENT_BYTES_MAX + ", found " + segmentBytes);
        }
    }
}
