package dev.weir.partition.engine;

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

    /**
     * Whether a segment stays.
     *
     * @param nextSeq one past its last event
     * @param lastCommittedAtNanos commit time of its last event
     * @param bytesBeyond that the log has, from the segment on, more than retention keeps
     */
    boolean holds(long nextSeq, long lastCommittedAtNanos, long bytesBeyond) {
        return fromSeq < nextSeq && bytesBeyond <= bytesMax && lastCommittedAtNanos >= oldestCommitNanos;
    }
}
