package dev.weir.wal.segment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Writes a part of a log to a file of its own, to be read as a {@link SealedSegment}. The same events give the same bytes whatever files they are in here; those of a
 * whole segment are that segment's.
 */
public final class SegmentCopy {
    private static final int READ_BYTES = 4 << 20;

    private SegmentCopy() {}

    /**
     * Copies events from {@code fromSeq} to before {@code toSeq}, both of which begin records, without fsync. Blocks on the disk.
     *
     * @param target must not exist; a failure may leave it
     * @throws SeqTrimmedException they are not here any more
     */
    public static SegmentFile write(SegmentLog log, long fromSeq, long toSeq, Path target) throws IOException {
        if (fromSeq >= toSeq) {
            throw new IllegalArgumentException(
                    "copy: expected events before seq " + toSeq + ", found none from " + fromSeq + " on");
        }
        RecordBuffer buffer = new RecordBuffer();
        CRC32C running = new CRC32C();
        long first = 0;
        long last = 0;
        long bytes = 0;
        try (SegmentFiles.OpenFile out = new ChannelFiles().create(target)) {
            for (long seq = fromSeq; seq < toSeq; ) {
                List<SegmentRecord> records = log.read(seq, READ_BYTES);
                if (records.isEmpty()) {
                    throw new IOException("events " + seq + " to " + (toSeq - 1) + ": the log has none of them");
                }
                for (SegmentRecord record : records) {
                    if (seq < toSeq) {
                        checkPlace(record, seq, toSeq);
                        bytes = buffer.write(out, bytes, running, header(record), record.payload());
                        first = seq == fromSeq ? record.committedAtNanos() : first;
                        last = record.committedAtNanos();
                        seq = record.nextSeq();
                    }
                }
            }
        }
        return new SegmentFile(
                SegmentFormat.fileName(fromSeq), fromSeq, toSeq, first, last, bytes, (int) running.getValue(), true);
    }

    private static RecordHeader header(SegmentRecord record) {
        return new RecordHeader(
                record.payload().remaining(), record.firstSeq(), record.count(), record.committedAtNanos());
    }

    private static void checkPlace(SegmentRecord record, long seq, long toSeq) {
        if (record.firstSeq() != seq || record.nextSeq() > toSeq) {
            throw new IllegalArgumentException("copy: expected a record from seq " + seq + " to at most " + (toSeq - 1)
                    + ", found " + record.firstSeq() + " to " + (record.nextSeq() - 1));
        }
    }
}
