package dev.weir.ops.command;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Counts the bytes that were read. One thread. */
final class CountedInput extends FilterInputStream {
    private long bytes;

    CountedInput(InputStream in) {
        super(in);
    }

    long bytes() {
        return bytes;
    }

    @Override
    public int read() throws IOException {
        int read = super.read();
        bytes += read < 0 ? 0 : 1;
        return read;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        int read = super.read(to, offset, length);
        bytes += Math.max(0, read);
        return read;
    }

    /** Nobody skips or goes back below the buffer that is laid over this. */
    @Override
    public boolean markSupported() {
        return false;
    }
}
