package dev.weir.cdc;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.charset.StandardCharsets;

/** The body of an answer in chunks, from its first byte on, whatever of it was read before. */
final class ChunkedBody extends InputStream {
    private final PushbackInputStream in;
    private int rest;
    private boolean first = true;

    ChunkedBody(RawStream stream) throws IOException {
        byte[] seen = stream.seen();
        String text = new String(seen, StandardCharsets.ISO_8859_1);
        int body = text.indexOf("\r\n\r\n") + 4;
        this.in = new PushbackInputStream(new BufferedInputStream(stream.bytes(), 64 * 1024), seen.length);
        in.unread(seen, body, seen.length - body);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (rest == 0) {
            if (!first) {
                line();
            }
            first = false;
            rest = Integer.parseInt(line(), 16);
            if (rest == 0) {
                return -1;
            }
        }
        int count = in.read(bytes, offset, Math.min(length, rest));
        if (count < 0) {
            throw new IOException("the answer ended within a chunk");
        }
        rest -= count;
        return count;
    }

    /** Of the chunks, their heads included, but without the line end of one that was read. */
    @Override
    public int available() throws IOException {
        return Math.max(0, in.available() - (rest == 0 && !first ? 2 : 0));
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("the answer ended within a chunk's head: " + line);
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }
}
