package dev.weir.wal.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** Reads whole records of one segment in one go and checks each one's checksum. Keeps nothing between calls. */
final class RecordReader {
    private RecordReader() {}

    /**
     * Reads the records from {@code start} on that fit into {@code maxBytes} (headers counted) and adds them to {@code target}.
     *
     * @param end where the file's records end, behind {@code start}
     * @param atLeastOne read the first record however large it is
     * @return where the record behind the last one read stands
     */
    static SparseIndex.Point read(
            String file,
            SegmentFiles.OpenFile in,
            SparseIndex.Point start,
            long end,
            int maxBytes,
            boolean atLeastOne,
            List<SegmentRecord> target)
            throws IOException {
        int wanted = Math.max(maxBytes, SegmentFormat.RECORD_HEADER_BYTES);
        ByteBuffer chunk = readFully(file, in, start.offset(), (int) Math.min(wanted, end - start.offset()));
        RecordHeader first = header(file, chunk, start, end);
        if (atLeastOne && first.recordBytes() > chunk.remaining()) {
            chunk = readFully(file, in, start.offset(), first.recordBytes());
        }
        SparseIndex.Point at = start;
        while (chunk.remaining() >= SegmentFormat.RECORD_HEADER_BYTES) {
            RecordHeader header = header(file, chunk, at, end);
            if (header.recordBytes() > chunk.remaining()) {
                break;
            }
            SegmentFormat.checkRecord(chunk, header, file, at.offset());
            target.add(record(header, chunk));
            chunk.position(chunk.position() + header.recordBytes());
            at = new SparseIndex.Point(header.nextSeq(), at.offset() + header.recordBytes());
        }
        return at;
    }

    private static RecordHeader header(String file, ByteBuffer chunk, SparseIndex.Point at, long end)
            throws IOException {
        if (chunk.remaining() < SegmentFormat.RECORD_HEADER_BYTES) {
            throw SegmentFormat.damaged(
                    file,
                    at.offset(),
                    "record",
                    "at least " + SegmentFormat.RECORD_HEADER_BYTES + " bytes",
                    chunk.remaining());
        }
        return RecordHeader.read(chunk, file, at.offset(), end, at.seq());
    }

    private static SegmentRecord record(RecordHeader header, ByteBuffer chunk) {
        ByteBuffer payload = chunk.slice(chunk.position() + SegmentFormat.RECORD_HEADER_BYTES, header.payloadBytes())
                .asReadOnlyBuffer();
        return new SegmentRecord(header.firstSeq(), header.count(), header.committedAtNanos(), payload);
    }

    private static ByteBuffer readFully(String file, SegmentFiles.OpenFile in, long offset, int bytes)
            throws IOException {
        ByteBuffer chunk = ByteBuffer.allocate(bytes);
        int found = in.read(chunk, offset);
        if (found < bytes) {
            throw SegmentFormat.damaged(file, offset, "bytes", bytes, found);
        }
        return chunk.flip();
    }
}
