package dev.weir.wal.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/** Adds records to one segment and keeps its running checksum. Used by the log's writer alone. */
final class SegmentWriter {
    private final Segment segment;
    private final SegmentFiles.OpenFile out;
    private final CRC32C running;
    private boolean dirty;

    /**
     * Continues a segment whose file is open as its first use.
     *
     * @param running the checksum of the file's bytes so far
     */
    SegmentWriter(Segment segment, SegmentFiles.OpenFile out, CRC32C running) {
        this.segment = segment;
        this.out = out;
        this.running = running;
    }

    /**
     * Makes the file of a segment with its first record.
     */
    static SegmentWriter create(
            SegmentFiles files, Path directory, RecordHeader first, ByteBuffer payload, RecordBuffer buffer)
            throws IOException {
        String name = SegmentFormat.fileName(first.firstSeq());
        Path path = directory.resolve(name);
        SegmentFiles.OpenFile out = files.create(path);
        try {
            CRC32C running = new CRC32C();
            long bytes = buffer.write(out, 0, running, first, payload);
            SegmentFile image = new SegmentFile(
                    name,
                    first.firstSeq(),
                    first.nextSeq(),
                    first.committedAtNanos(),
                    first.committedAtNanos(),
                    bytes,
                    (int) running.getValue(),
                    false);
            Segment segment = new Segment(path, new SharedFile(files, path, out), image);
            SegmentWriter writer = new SegmentWriter(segment, out, running);
            writer.dirty = true;
            return writer;
        } catch (IOException | RuntimeException e) {
            closeAfter(e, out);
            throw e;
        }
    }

    Segment segment() {
        return segment;
    }

    void append(RecordHeader header, ByteBuffer payload, RecordBuffer buffer) throws IOException {
        SegmentFile before = segment.file();
        dirty = true;
        long bytes = buffer.write(out, before.bytes(), running, header, payload);
        segment.index(header, before.bytes());
        segment.publish(new SegmentFile(
                before.name(),
                before.firstSeq(),
                header.nextSeq(),
                before.firstCommittedAtNanos(),
                header.committedAtNanos(),
                bytes,
                (int) running.getValue(),
                false));
    }

    /** No record will follow; the file stays open until {@link #close}. */
    void seal() {
        SegmentFile before = segment.file();
        segment.publish(new SegmentFile(
                before.name(),
                before.firstSeq(),
                before.nextSeq(),
                before.firstCommittedAtNanos(),
                before.lastCommittedAtNanos(),
                before.bytes(),
                before.crc32c(),
                true));
    }

    void sync() throws IOException {
        if (dirty) {
            out.force();
            dirty = false;
        }
    }

    /** Gives up the writer's use of the file; readers keep theirs. */
    void close() throws IOException {
        segment.shared().release();
    }

    private static void closeAfter(Exception failure, SegmentFiles.OpenFile out) {
        try {
            out.close();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }
}
