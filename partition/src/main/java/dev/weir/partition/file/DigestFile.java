package dev.weir.partition.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;

/** A new local file that is digested while it is written. */
final class DigestFile implements OutputFile {
    private static final int BUFFER_BYTES = 1 << 16;

    private final Path path;
    private final FileChannel channel;
    private final MessageDigest digest;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    private long written;

    /** @throws java.nio.file.FileAlreadyExistsException the file exists */
    DigestFile(Path path) throws IOException {
        this.path = path;
        this.channel = FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
        try {
            this.digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    long written() {
        return written;
    }

    /** Makes the file durable and returns its SHA-256. */
    byte[] finish() throws IOException {
        drain();
        channel.force(true);
        return digest.digest();
    }

    void close() throws IOException {
        channel.close();
    }

    @Override
    public PositionOutputStream create(long blockSizeHint) {
        return new Stream();
    }

    @Override
    public PositionOutputStream createOrOverwrite(long blockSizeHint) {
        return new Stream();
    }

    @Override
    public boolean supportsBlockSize() {
        return false;
    }

    @Override
    public long defaultBlockSize() {
        return 0;
    }

    @Override
    public String getPath() {
        return path.toString();
    }

    private void drain() throws IOException {
        buffer.flip();
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
        buffer.clear();
    }

    private void write(byte[] bytes, int from, int length) throws IOException {
        digest.update(bytes, from, length);
        written += length;
        int at = from;
        while (at < from + length) {
            if (!buffer.hasRemaining()) {
                drain();
            }
            int part = Math.min(buffer.remaining(), from + length - at);
            buffer.put(bytes, at, part);
            at += part;
        }
    }

    private final class Stream extends PositionOutputStream {
        private final byte[] one = new byte[1];

        @Override
        public long getPos() {
            return written;
        }

        @Override
        public void write(int b) throws IOException {
            one[0] = (byte) b;
            DigestFile.this.write(one, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            DigestFile.this.write(bytes, from, length);
        }

        @Override
        public void flush() throws IOException {
            drain();
        }
    }
}
