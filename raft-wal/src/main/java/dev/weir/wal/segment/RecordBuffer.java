package dev.weir.wal.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Turns a record into bytes outside the heap and writes them. A record that fits the buffer is copied once and written by one call; a larger one
 * is read twice, since its checksum comes first. Used by the log's writer alone.
 */
final class RecordBuffer {
    /** Room for a batch of 64 KiB and a little more. */
    static final int BUFFER_BYTES = 72 << 10;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final CRC32C crc = new CRC32C();

    /**
     * Writes a record at {@code offset}, which is 0 for the first of a file: the file's header goes before it.
     *
     * @param running the checksum of the file so far, continued
     * @return the offset behind the record
     */
    long write(SegmentFiles.OpenFile out, long offset, CRC32C running, RecordHeader header, ByteBuffer payload)
            throws IOException {
        buffer.clear();
        if (offset == 0) {
            SegmentFormat.putFileHeader(buffer, header.firstSeq());
        }
        int record = buffer.position();
        SegmentFormat.putRecordHeader(buffer, header);
        ByteBuffer rest = payload.duplicate();
        long at = offset;
        if (rest.remaining() <= buffer.remaining()) {
            buffer.put(rest);
            buffer.putInt(record, checksum(record));
            return flush(out, at, running);
        }
        buffer.putInt(record, checksum(record, payload.duplicate()));
        while (rest.hasRemaining()) {
            int count = Math.min(rest.remaining(), buffer.remaining());
            buffer.put(rest.slice(rest.position(), count));
            rest.position(rest.position() + count);
            at = flush(out, at, running);
        }
        return at;
    }

    private int checksum(int record) {
        crc.reset();
        crc.update(buffer.duplicate().flip().position(record + SegmentFormat.RECORD_CRC_BYTES));
        return (int) crc.getValue();
    }

    private int checksum(int record, ByteBuffer payload) {
        checksum(record);
        crc.update(payload);
        return (int) crc.getValue();
    }

    private long flush(SegmentFiles.OpenFile out, long offset, CRC32C running) throws IOException {
        buffer.flip();
        running.update(buffer.duplicate());
        long end = offset + buffer.remaining();
        out.write(buffer, offset);
        buffer.clear();
        return end;
    }
}
