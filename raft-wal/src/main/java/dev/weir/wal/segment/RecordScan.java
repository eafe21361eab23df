package dev.weir.wal.segment;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Steps over the headers of a segment's records without reading their payloads. Used by one thread. */
final class RecordScan {
    private static final int WINDOW_BYTES = 4 << 10;

    private final String file;
    private final SegmentFiles.OpenFile in;
    private final long end;
    private final ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES).limit(0);
    private long windowOffset;
    private long nextOffset;
    private long nextSeq;
    private long offset;

    /** Begins at {@code start}, where the record of that seq stands. */
    RecordScan(String file, SegmentFiles.OpenFile in, SparseIndex.Point start, long end) {
        this.file = file;
        this.in = in;
        this.end = end;
        this.nextOffset = start.offset();
        this.nextSeq = start.seq();
    }

    /** The next record's header. The caller knows that there is one. */
    RecordHeader next() throws IOException {
        offset = nextOffset;
        if (end - offset < SegmentFormat.RECORD_HEADER_BYTES) {
            throw SegmentFormat.damaged(
                    file, offset, "record", "at least " + SegmentFormat.RECORD_HEADER_BYTES + " bytes", end - offset);
        }
        if (offset < windowOffset || offset + SegmentFormat.RECORD_HEADER_BYTES > windowOffset + window.limit()) {
            fill();
        }
        window.position((int) (offset - windowOffset));
        RecordHeader header = RecordHeader.read(window, file, offset, end, nextSeq);
        nextOffset = offset + header.recordBytes();
        nextSeq = header.nextSeq();
        return header;
    }

    /** Where the record of the last {@link #next} stands. */
    long offset() {
        return offset;
    }

    private void fill() throws IOException {
        windowOffset = offset;
        window.clear().limit((int) Math.min(WINDOW_BYTES, end - offset));
        int found = in.read(window, offset);
        if (found < window.limit()) {
            throw SegmentFormat.damaged(file, offset, "bytes", window.limit(), found);
        }
    }
}
