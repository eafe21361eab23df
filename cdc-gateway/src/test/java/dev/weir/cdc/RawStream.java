package dev.weir.cdc;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A request by hand, to see the very bytes of the answer, and to stop reading when one likes. */
final class RawStream implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Socket socket = new Socket();
    private final InputStream in;
    private final ByteArrayOutputStream seen = new ByteArrayOutputStream();

    RawStream(int port, String query, String lastEventId) throws IOException {
        this(port, "GET", query, lastEventId == null ? "" : "Last-Event-ID: " + lastEventId + "\r\n");
    }

    RawStream(int port, String method, String query, String headers) throws IOException {
        this(port, method, query, headers, 16 * 1024);
    }

    RawStream(int port, String method, String query, String headers, int receiveBytes) throws IOException {
        socket.setReceiveBufferSize(receiveBytes);
        socket.setSoTimeout((int) Gateway.PATIENCE.toMillis());
        socket.connect(new InetSocketAddress("127.0.0.1", port));
        String path = query.startsWith("/") ? query : "/api/v1/cdc/stream" + query;
        String request = method + " " + path + " HTTP/1.1\r\nHost: here\r\n" + headers + "\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
        in = socket.getInputStream();
    }

    /** Reads on until the text comes; gives all bytes so far, headers and chunk borders included. Heartbeats do not keep it waiting for ever. */
    String readUntil(String end) throws IOException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            String all = seen.toString(StandardCharsets.UTF_8);
            if (all.contains(end)) {
                return all;
            }
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("expected " + end + " within " + PATIENCE + ", found " + all);
            }
            more();
        }
    }

    /** The text between the first start and the end after it. */
    String readUntil(String start, String end) throws IOException {
        String all = readUntil(start);
        int from = all.indexOf(start);
        while (all.indexOf(end, from) < 0) {
            more();
            all = seen.toString(StandardCharsets.UTF_8);
        }
        return all.substring(from, all.indexOf(end, from));
    }

    private void more() throws IOException {
        byte[] buffer = new byte[64 * 1024];
        int count = in.read(buffer);
        if (count < 0) {
            throw new IOException("the answer ended: " + seen.toString(StandardCharsets.UTF_8));
        }
        seen.write(buffer, 0, count);
    }

    InputStream bytes() {
        return in;
    }

    byte[] seen() {
        return seen.toByteArray();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
