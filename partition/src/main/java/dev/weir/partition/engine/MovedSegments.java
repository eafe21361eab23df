package dev.weir.partition.engine;

import dev.weir.partition.entry.MovedSegment;
import dev.weir.wal.segment.SegmentRecord;
import java.io.IOException;
import java.util.List;

/** Reads segments that are in the object store. Any thread; blocks, for a bounded time. What fails may hold the next time, unless the segment was trimmed. */
public interface MovedSegments {
    /** Of a node that has no store. */
    MovedSegments NONE = new MovedSegments() {
        @Override
        public List<SegmentRecord> read(MovedSegment segment, long fromSeq, int maxBytes) throws IOException {
            throw new IOException("segment " + segment.key() + ": this node has no object store");
        }

        @Override
        public long seekTime(MovedSegment segment, long committedAtNanos) throws IOException {
            throw new IOException("segment " + segment.key() + ": this node has no object store");
        }
    };

    /**
     * Records from the one with {@code fromSeq} on, of about so many bytes, at least one.
     *
     * @param fromSeq of an event in the segment
     */
    List<SegmentRecord> read(MovedSegment segment, long fromSeq, int maxBytes) throws IOException;

    /** The seq of the first event committed at or after a time; there is one. */
    long seekTime(MovedSegment segment, long committedAtNanos) throws IOException;
}
