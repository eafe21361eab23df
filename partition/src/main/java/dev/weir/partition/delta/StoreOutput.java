package dev.weir.partition.delta;

import dev.weir.partition.store.LocalFile;
import dev.weir.partition.store.ObjectStore;
import dev.weir.partition.store.StoreException;
import io.delta.kernel.defaults.engine.fileio.OutputFile;
import io.delta.kernel.defaults.engine.fileio.PositionOutputStream;
import io.delta.kernel.utils.CloseableIterator;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;

/**
 * An object being written: to a local file first, then put, so that it is there whole or not at all. A taken key refuses, which is what makes one
 * commit win.
 */
final class StoreOutput implements OutputFile {
    private final ObjectStore store;
    private final Path temporary;
    private final String path;

    /** @param temporary a folder on this node's disk */
    StoreOutput(ObjectStore store, Path temporary, String path) {
        this.store = store;
        this.temporary = temporary;
        this.path = path;
    }

    @Override
    public String path() {
        return path;
    }

    /** What is written appears when the stream is closed. */
    @Override
    public PositionOutputStream create(boolean atomicWrite) throws IOException {
        return new Pending();
    }

    @Override
    public void writeAtomically(CloseableIterator<String> lines, boolean overwrite) throws IOException {
        try (lines;
                Pending pending = new Pending()) {
            pending.put = true; // What is left unfinished by an exception never appears.
            while (lines.hasNext()) {
                pending.write(lines.next().getBytes(StandardCharsets.UTF_8));
                pending.write('\n');
            }
            if (overwrite) {
                // Objects never change: for a moment there is none. Only a hint is ever overwritten.
                store.delete(StoreFileIO.key(path));
            }
            pending.complete();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private IOException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return (IOException) new InterruptedIOException("writing " + path).initCause(e);
    }

    private final class Pending extends PositionOutputStream {
        private final Path file = temporary.resolve("delta-" + UUID.randomUUID());
        private final MessageDigest digest = sha256();
        private final OutputStream out;
        private long written;
        private boolean put;

        Pending() throws IOException {
            out = new BufferedOutputStream(new DigestOutputStream(Files.newOutputStream(file), digest));
        }

        @Override
        public long getPos() {
            return written;
        }

        @Override
        public void write(int b) throws IOException {
            out.write(b);
            written++;
        }

        @Override
        public void write(byte[] bytes, int at, int count) throws IOException {
            out.write(bytes, at, count);
            written += count;
        }

        void complete() throws IOException, InterruptedException {
            put = true;
            out.close();
            try {
                store.put(StoreFileIO.key(path), new LocalFile(file, written, digest.digest()));
            } catch (StoreException e) {
                if (e.kind() == StoreException.Kind.CONFLICT) {
                    throw (IOException) new FileAlreadyExistsException(path).initCause(e);
                }
                throw e;
            }
        }

        @Override
        public void close() throws IOException {
            try {
                if (!put) {
                    complete();
                }
            } catch (InterruptedException e) {
                throw interrupted(e);
            } finally {
                out.close();
                Files.deleteIfExists(file);
            }
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
