package dev.weir.ops.bench;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** One kept-alive HTTP/1.1 connection that posts bodies to one path, as cheaply as Java can. Used by one thread. */
final class RawConnection implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;
    private final String head;
    private int retryAfterSeconds;

    RawConnection(URI node, String path, Optional<String> token, Duration timeout) throws IOException {
        socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) timeout.toMillis());
        socket.connect(new InetSocketAddress(node.getHost(), node.getPort()), (int) timeout.toMillis());
        in = new BufferedInputStream(socket.getInputStream(), 4096);
        head = "POST " + path + " HTTP/1.1\r\nHost: " + node.getHost() + ":" + node.getPort() + "\r\n"
                + token.map(text -> "Authorization: Bearer " + text + "\r\n").orElse("")
                + "Content-Type: text/plain\r\nContent-Length: ";
    }

    /** Sends a body and answers the status. */
    int post(byte[] body) throws IOException {
        byte[] start = (head + body.length + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
        byte[] request = new byte[start.length + (body.length < 4096 ? body.length : 0)];
        System.arraycopy(start, 0, request, 0, start.length);
        if (body.length < 4096) {
            System.arraycopy(body, 0, request, start.length, body.length);
            socket.getOutputStream().write(request);
        } else {
            socket.getOutputStream().write(request);
            socket.getOutputStream().write(body);
        }
        return readAnswer();
    }

    /** What the last answer asked for, 0 where it asked for nothing. */
    int retryAfterSeconds() {
        return retryAfterSeconds;
    }

    private int readAnswer() throws IOException {
        String status = line();
        int code = Integer.parseInt(status.substring(9, 12));
        long length = 0;
        boolean chunked = false;
        retryAfterSeconds = 0;
        for (String header = line(); !header.isEmpty(); header = line()) {
            int colon = header.indexOf(':');
            String name = header.substring(0, Math.max(colon, 0)).toLowerCase(Locale.ROOT);
            String value = header.substring(colon + 1).strip();
            switch (name) {
                case "content-length" -> length = Long.parseLong(value);
                case "transfer-encoding" -> chunked = value.equalsIgnoreCase("chunked");
                case "retry-after" -> retryAfterSeconds = value.matches("\\d{1,4}") ? Integer.parseInt(value) : 1;
                default -> {}
            }
        }
        if (chunked) {
            skipChunks();
        } else {
            in.skipNBytes(length);
        }
        return code;
    }

    private void skipChunks() throws IOException {
        long size = Long.parseLong(line().split(";")[0].strip(), 16);
        while (size > 0) {
            in.skipNBytes(size + 2);
            size = Long.parseLong(line().split(";")[0].strip(), 16);
        }
        line();
    }

    private String line() throws IOException {
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

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
