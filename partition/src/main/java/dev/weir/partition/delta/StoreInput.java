package dev.weir.partition.delta;

import dev.weir.partition.store.ObjectStore;
import io.delta.kernel.defaults.engine.fileio.SeekableInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.Objects;

/** An object as a stream, fetched in chunks; the last chunk reaches back from the end, where footers lie. Used by one thread. */
final class StoreInput extends SeekableInputStream {
    private static final int CHUNK_BYTES = 256 << 10;

    private final ObjectStore store;
    private final String key;
    private final long length;
    private ByteBuffer chunk = ByteBuffer.allocate(0);
    private long chunkAt;
    private long position;

    StoreInput(ObjectStore store, String key, long length) {
        this.store = store;
        this.key = key;
        this.length = length;
    }

    @Override
    public long getPos() {
        return position;
    }

    @Override
    public void seek(long to) {
        position = to;
    }

    @Override
    public int read() throws IOException {
        return fill() ? chunk.get(offset(1)) & 0xff : -1;
    }

    @Override
    public int read(byte[] target, int at, int count) throws IOException {
        Objects.checkFromIndexSize(at, count, target.length);
        if (count == 0) {
            return 0;
        }
        if (!fill()) {
            return -1;
        }
        int here = (int) Math.min(count, chunkAt + chunk.limit() - position);
        chunk.get(offset(here), target, at, here);
        return here;
    }

    @Override
    public void readFully(byte[] target, int at, int count) throws IOException {
        for (int done = 0; done < count; ) {
            int read = read(target, at + done, count - done);
            if (read < 0) {
                throw new EOFException(
                        key + ": expected " + (count - done) + " bytes at " + position + ", found the end");
            }
            done += read;
        }
    }

    /** Where the position lies in the chunk; moves on by {@code count}. */
    private int offset(int count) {
        int offset = (int) (position - chunkAt);
        position += count;
        return offset;
    }

    /** Whether there is a byte at the position. */
    private boolean fill() throws IOException {
        if (position >= length) {
            return false;
        }
        if (position < chunkAt || position >= chunkAt + chunk.limit()) {
            long from = Math.min(position, Math.max(0, length - CHUNK_BYTES));
            ByteBuffer next = ByteBuffer.allocate((int) Math.min(CHUNK_BYTES, length - from));
            try {
                store.read(key, from, next);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw (IOException) new InterruptedIOException("reading " + key).initCause(e);
            }
            chunk = next.flip();
            chunkAt = from;
        }
        return position < chunkAt + chunk.limit();
    }
}
