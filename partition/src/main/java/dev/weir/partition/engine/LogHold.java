package dev.weir.partition.engine;

import dev.weir.wal.segment.SegmentFile;

/**
 * Log of a partition that somebody needs, beyond what retention keeps.
 *
 * @param fromSeq events from here on
 * @param bytesMax from a segment on the log may have so many bytes more than retention keeps; then even that segment goes
 * @param oldestCommitNanos segments all of whose events were committed before go, too
 */
public record LogHold(long fromSeq, long bytesMax, long oldestCommitNanos) {
    public static final LogHold NONE = new LogHold(Long.MAX_VALUE, 0);

    /** However old. */
    public LogHold(long fromSeq, long bytesMax) {
        this(fromSeq, bytesMax, Long.MIN_VALUE);
    }

    /** @param bytesBeyond that the log has, from the segment on, more than retention keeps */
    boolean holds(SegmentFile segment, long bytesBeyond) {
        return fromSeq < segment.nextSeq()
                && bytesBeyond <= bytesMax
                && segment.lastCommittedAtNanos() >= oldestCommitNanos;
    }
}
