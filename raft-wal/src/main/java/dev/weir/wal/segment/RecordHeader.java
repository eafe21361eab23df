package dev.weir.wal.segment;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The fixed part of a record; its bytes are in {@link SegmentFormat}. */
record RecordHeader(int crc, int payloadBytes, long firstSeq, int count, long committedAtNanos) {
    /** Of a record to be written; its checksum is made when it is. */
    RecordHeader(int payloadBytes, long firstSeq, int count, long committedAtNanos) {
        this(0, payloadBytes, firstSeq, count, committedAtNanos);
    }

    /**
     * Reads a header and checks what can be checked without the payload.
     *
     * @param bytes positioned at the header, which is there whole
     * @param offset of the record in the file
     * @param end where the file's records end
     * @param seq the seq that the record must begin with
     */
    static RecordHeader read(ByteBuffer bytes, String file, long offset, long end, long seq) throws IOException {
        int at = bytes.position();
        RecordHeader header = new RecordHeader(
                bytes.getInt(at),
                bytes.getInt(at + 4),
                bytes.getLong(at + 8),
                bytes.getInt(at + 16),
                bytes.getLong(at + 20));
        long room = end - offset - SegmentFormat.RECORD_HEADER_BYTES;
        if (header.payloadBytes < 0 || header.payloadBytes > room) {
            throw SegmentFormat.damaged(
                    file, offset, "payload length", "0 to " + room, Integer.toUnsignedString(header.payloadBytes));
        }
        if (header.firstSeq != seq) {
            throw SegmentFormat.damaged(file, offset, "first seq", seq, header.firstSeq);
        }
        if (header.count < 1) {
            throw SegmentFormat.damaged(file, offset, "events", "at least 1", header.count);
        }
        return header;
    }

    long nextSeq() {
        return firstSeq + count;
    }

    int recordBytes() {
        return SegmentFormat.RECORD_HEADER_BYTES + payloadBytes;
    }
}
