package dev.weir.ops.bench;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Status and headers of an HTTP/1.1 answer, read from a socket.
 *
 * @param headers names in lower case
 */
record HttpHead(int status, Map<String, String> headers) {

    static HttpHead read(InputStream in) throws IOException {
        String start = line(in);
        if (!start.startsWith("HTTP/1.1 ") || start.length() < 12) {
            throw new IOException("expected an HTTP/1.1 status line, found " + start);
        }
        Map<String, String> headers = new HashMap<>();
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            int colon = header.indexOf(':');
            if (colon > 0) {
                headers.put(
                        header.substring(0, colon).toLowerCase(Locale.ROOT),
                        header.substring(colon + 1).strip());
            }
        }
        return new HttpHead(Integer.parseInt(start.substring(9, 12)), headers);
    }

    String header(String name) {
        return headers.getOrDefault(name, "");
    }

    /** The body that follows, up to its end; nothing where the head announces none. */
    InputStream body(InputStream in) {
        if (header("transfer-encoding").equalsIgnoreCase("chunked")) {
            return new ChunkedBody(in);
        }
        String length = header("content-length");
        return new LimitedBody(in, length.isEmpty() ? 0 : Long.parseLong(length));
    }

    static String line(InputStream in) throws IOException {
        StringBuilder text = new StringBuilder(64);
        int read = in.read();
        while (read != '\n') {
            if (read < 0) {
                throw new EOFException("the node closed the connection before its answer ended");
            }
            if (read != '\r') {
                text.append((char) read);
            }
            read = in.read();
        }
        return text.toString();
    }

    /** So many bytes. */
    private static final class LimitedBody extends InputStream {
        private final InputStream in;
        private long left;

        LimitedBody(InputStream in, long left) {
            this.in = in;
            this.left = left;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            if (left == 0) {
                return -1;
            }
            int read = in.read(to, offset, (int) Math.min(length, left));
            left -= Math.max(read, 0);
            return read;
        }
    }

    /** Chunks, as they come. */
    private static final class ChunkedBody extends InputStream {
        private final InputStream in;
        private long left;
        private boolean first = true;
        private boolean ended;

        ChunkedBody(InputStream in) {
            this.in = in;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            if (left == 0 && !ended) {
                nextChunk();
            }
            if (ended) {
                return -1;
            }
            int read = in.read(to, offset, (int) Math.min(length, left));
            if (read < 0) {
                throw new EOFException("the node closed the connection inside a chunk");
            }
            left -= read;
            return read;
        }

        private void nextChunk() throws IOException {
            if (!first) {
                line(in);
            }
            first = false;
            left = Long.parseLong(line(in).split(";", -1)[0].strip(), 16);
            if (left == 0) {
                line(in);
                ended = true;
            }
        }
    }
}
