package dev.weir.ops.bench;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** One kept-alive HTTP/1.1 connection that posts bodies to one path, as cheaply as Java can. Used by one thread. */
final class RawConnection implements AutoCloseable {
    private static final int BUFFER_BYTES = 64 << 10;

    private final Socket socket;
    private final InputStream in;
    private final String head;
    private int retryAfterSeconds;
    private long bodyBytes;

    RawConnection(URI node, String path, Optional<String> token, Duration timeout) throws IOException {
        this(node, path, "*/*", token, timeout);
    }

    /** @param accept the media type that answers shall have */
    RawConnection(URI node, String path, String accept, Optional<String> token, Duration timeout) throws IOException {
        socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) timeout.toMillis());
        socket.connect(new InetSocketAddress(node.getHost(), node.getPort()), (int) timeout.toMillis());
        in = new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES);
        head = "POST " + path + " HTTP/1.1\r\nHost: " + node.getHost() + ":" + node.getPort() + "\r\n"
                + token.map(text -> "Authorization: Bearer " + text + "\r\n").orElse("")
                + "Accept: " + accept + "\r\nContent-Type: text/plain\r\nContent-Length: ";
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

    /** The length of the last answer's body. */
    long bodyBytes() {
        return bodyBytes;
    }

    private int readAnswer() throws IOException {
        HttpHead answer = HttpHead.read(in);
        String retry = answer.header("retry-after");
        retryAfterSeconds = retry.isEmpty() ? 0 : retry.matches("\\d{1,4}") ? Integer.parseInt(retry) : 1;
        bodyBytes = answer.body(in).transferTo(OutputStream.nullOutputStream());
        return answer.status();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
