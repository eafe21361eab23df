package dev.weir.partition.engine;

import dev.weir.partition.model.TableSchema;
import dev.weir.wal.segment.SegmentFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * The definitions of one partition's log, in the order in which it made them, in an append-only file: equal byte by byte on all replicas.
 * A manifest names it by length and checksum, so that a snapshot writes only what is new.
 *
 * <p>Durable after {@link #sync}; what lies beyond the manifest is cut off by {@link #open} and made again by replay. Used by the apply thread.
 */
final class DefinitionsFile implements AutoCloseable {
    private static final int PENDING_MAX = 64 << 10;
    private static final int READ_BYTES = 1 << 20;

    private final Path path;
    private final SegmentFiles.OpenFile file;
    private final CRC32C running = new CRC32C();
    private final ByteBuffer pending = ByteBuffer.allocate(PENDING_MAX);
    private long written;

    /** How much of the file counts. */
    record Extent(long bytes, int crc32c) {}

    private DefinitionsFile(Path path, SegmentFiles.OpenFile file) {
        this.path = path;
        this.file = file;
    }

    static DefinitionsFile create(SegmentFiles files, Path path) throws IOException {
        DefinitionsFile made = new DefinitionsFile(path, files.create(path));
        made.append(DefinitionFrames.header());
        return made;
    }

    /**
     * Opens the file, cuts it to its extent and hands over every definition.
     *
     * @throws IOException it is shorter, or its checksum is another
     */
    static DefinitionsFile open(SegmentFiles files, Path path, Extent extent, DefinitionFrames.Target target)
            throws IOException {
        DefinitionsFile opened = new DefinitionsFile(path, files.open(path));
        try {
            opened.load(extent, target);
        } catch (IOException | RuntimeException e) {
            opened.close();
            throw e;
        }
        return opened;
    }

    void series(int id, int tableId, byte[] tags, long hash) throws IOException {
        append(DefinitionFrames.series(id, tableId, tags, hash));
    }

    void schema(TableSchema schema) throws IOException {
        append(DefinitionFrames.schema(schema));
    }

    /** Makes all definitions durable. */
    Extent sync() throws IOException {
        flush();
        file.force();
        return new Extent(written, (int) running.getValue());
    }

    long bytes() {
        return written + pending.position();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private void append(byte[] frame) throws IOException {
        if (frame.length > pending.remaining()) {
            flush();
        }
        if (frame.length > pending.capacity()) {
            write(ByteBuffer.wrap(frame));
        } else {
            pending.put(frame);
        }
    }

    private void flush() throws IOException {
        write(pending.flip());
        pending.clear();
    }

    private void write(ByteBuffer bytes) throws IOException {
        int count = bytes.remaining();
        running.update(bytes.duplicate());
        file.write(bytes, written);
        written += count;
    }

    private void load(Extent extent, DefinitionFrames.Target target) throws IOException {
        long size = file.size();
        if (size < extent.bytes()) {
            throw new IOException("file " + path + ": expected at least " + extent.bytes() + " bytes, found " + size);
        }
        if (size > extent.bytes()) {
            file.truncate(extent.bytes());
            file.force();
        }
        new FrameScan(path, file, extent.bytes(), running).scan(target);
        written = extent.bytes();
        if ((int) running.getValue() != extent.crc32c()) {
            throw new IOException("file " + path + ": checksum of the first " + extent.bytes() + " bytes: expected "
                    + Integer.toHexString(extent.crc32c()) + ", found "
                    + Integer.toHexString((int) running.getValue()));
        }
    }

    /** Reads frames one after the other, in pieces of {@link #READ_BYTES}. */
    private static final class FrameScan {
        private final Path path;
        private final SegmentFiles.OpenFile file;
        private final long end;
        private final CRC32C running;
        private ByteBuffer buffer = ByteBuffer.allocate(READ_BYTES).limit(0);
        private long readTo;

        FrameScan(Path path, SegmentFiles.OpenFile file, long end, CRC32C running) {
            this.path = path;
            this.file = file;
            this.end = end;
            this.running = running;
        }

        void scan(DefinitionFrames.Target target) throws IOException {
            byte[] header = new byte[DefinitionFrames.HEADER_BYTES];
            need(header.length);
            buffer.get(header);
            if (!DefinitionFrames.isHeader(header)) {
                throw new IOException(
                        "file " + path + ": expected a definitions file of version 1, found another header");
            }
            CRC32C crc = new CRC32C();
            while (offset() < end) {
                frame(target, crc);
            }
        }

        private void frame(DefinitionFrames.Target target, CRC32C crc) throws IOException {
            long at = offset();
            need(DefinitionFrames.FRAME_HEADER_BYTES);
            int length = buffer.getInt();
            int expected = buffer.getInt();
            if (length < 1 || length > DefinitionFrames.BODY_BYTES_MAX) {
                throw new IOException("file " + path + " at " + at + ": frame of " + length + " bytes");
            }
            need(length);
            ByteBuffer body = buffer.slice(buffer.position(), length);
            crc.reset();
            crc.update(body.duplicate());
            if ((int) crc.getValue() != expected) {
                throw new IOException("file " + path + " at " + at + ": checksum: expected "
                        + Integer.toHexString(expected) + ", found " + Integer.toHexString((int) crc.getValue()));
            }
            DefinitionFrames.decode(body, target);
            buffer.position(buffer.position() + length);
        }

        private long offset() {
            return readTo - buffer.remaining();
        }

        private void need(int bytes) throws IOException {
            if (buffer.remaining() >= bytes) {
                return;
            }
            if (bytes > buffer.capacity()) {
                buffer = ByteBuffer.allocate(bytes).put(buffer);
            } else {
                buffer.compact();
            }
            int room = (int) Math.min(buffer.remaining(), end - readTo);
            buffer.limit(buffer.position() + room);
            int start = buffer.position();
            int read = file.read(buffer, readTo);
            buffer.position(start + read).flip();
            running.update(buffer.duplicate().position(start));
            readTo += read;
            if (buffer.remaining() < bytes) {
                throw new IOException("file " + path + " at " + offset() + ": expected " + bytes + " bytes, found "
                        + buffer.remaining());
            }
        }
    }
}
