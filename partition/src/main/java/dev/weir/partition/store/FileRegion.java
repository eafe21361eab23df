package dev.weir.partition.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import software.amazon.awssdk.core.sync.RequestBody;

/** A part of a file as the body of a request. */
record FileRegion(Path file, long from, long bytes) {
    private static final int CHUNK_BYTES = 1 << 17;

    static FileRegion whole(LocalFile file) {
        return new FileRegion(file.path(), 0, file.bytes());
    }

    /** May be read several times: for the signature, for each try. */
    RequestBody body() {
        return RequestBody.fromContentProvider(this::openForRequest, bytes, "application/octet-stream");
    }

    /** The value of {@code Content-MD5}: the one check of a body that all S3 servers make. */
    String md5() throws StoreException, InterruptedException {
        try (InputStream in = open()) {
            MessageDigest digest = MessageDigest.getInstance("MD5");
            byte[] chunk = new byte[CHUNK_BYTES];
            for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                digest.update(chunk, 0, read);
            }
            return Base64.getEncoder().encodeToString(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("S3 needs MD5, which this Java platform lacks", e);
        } catch (ClosedByInterruptException e) {
            Thread.interrupted();
            throw new InterruptedException("reading " + file);
        } catch (IOException e) {
            throw new StoreException(
                    StoreException.Kind.INVALID, "file " + file + " can't be read: " + e.getMessage(), e);
        }
    }

    private InputStream open() throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        try {
            return new Limited(channel.position(from), bytes);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private InputStream openForRequest() {
        try {
            return open();
        } catch (IOException e) {
            throw new S3Failures.LocalDiskException(e);
        }
    }

    /** The next so many bytes of a channel. */
    private static final class Limited extends InputStream {
        private final FileChannel channel;
        private long left;

        Limited(FileChannel channel, long left) {
            this.channel = channel;
            this.left = left;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int at, int length) throws IOException {
            if (left == 0) {
                return -1;
            }
            int read = channel.read(ByteBuffer.wrap(into, at, (int) Math.min(length, left)));
            if (read < 0) {
                throw new IOException("the file ended " + left + " bytes early");
            }
            left -= read;
            return read;
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
