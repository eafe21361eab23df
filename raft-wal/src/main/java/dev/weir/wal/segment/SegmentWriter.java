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
     *
     * @param buffer scratch space, direct
     */
    static SegmentWriter create(
            SegmentFiles files, Path directory, RecordHeader first, ByteBuffer payload, ByteBuffer buffer)
            throws IOException {
        String name = SegmentFormat.fileName(first.firstSeq());
        Path path = directory.resolve(name);
        SegmentFiles.OpenFile out = files.create(path);
        try {
            CRC32C running = new CRC32C();
            buffer.clear();
            SegmentFormat.putFileHeader(buffer, first.firstSeq());
            long bytes = writeRecord(out, running, 0, first, payload, buffer);
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

    void append(RecordHeader header, ByteBuffer payload, ByteBuffer buffer) throws IOException {
        SegmentFile before = segment.file();
        dirty = true;
        buffer.clear();
        long bytes = writeRecord(out, running, before.bytes(), header, payload, buffer);
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

    /** Writes what is in the buffer, then the record, at {@code offset}; returns the offset behind it. */
    private static long writeRecord(
            SegmentFiles.OpenFile out,
            CRC32C running,
            long offset,
            RecordHeader header,
            ByteBuffer payload,
            ByteBuffer buffer)
            throws IOException {
        long at = offset;
        SegmentFormat.putRecordHeader(buffer, header);
        ByteBuffer rest = payload.duplicate();
        int end = rest.limit();
        do {
            rest.limit(Math.min(end, rest.position() + buffer.remaining()));
            buffer.put(rest);
            rest.limit(end);
            buffer.flip();
            running.update(buffer.duplicate());
            at += buffer.remaining();
            out.write(buffer, at - buffer.limit());
            buffer.clear();
        } while (rest.hasRemaining());
        return at;
    }

    private static void closeAfter(Exception failure, SegmentFiles.OpenFile out) {
        try {
            out.close();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }
}
