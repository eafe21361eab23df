package dev.weir.wal.segment;

import java.nio.ByteBuffer;

/**
 * One record of a change segment.
 *
 * @param firstSeq seq of its first event
 * @param count events in it, at least 1
 * @param committedAtNanos commit time of its events, ns since 1970; strictly rising from record to record
 * @param payload opaque bytes; read-only
 */
public record SegmentRecord(long firstSeq, int count, long committedAtNanos, ByteBuffer payload) {
    /** One past the seq of the last event. */
    public long nextSeq() {
        return firstSeq + count;
    }
}
