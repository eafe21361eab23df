package dev.weir.ops.bench;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A subscription that a node has accepted.
 *
 * @param body of the answer, what the socket already gave included
 */
record OpenedStream(Socket socket, InputStream body) {
    static final int RECEIVE_BYTES = 1 << 16;

    /** @param accept the format */
    static OpenedStream open(URI node, String query, String accept, Optional<String> token) throws IOException {
        Socket socket = new Socket(node.getHost(), node.getPort());
        String request = "GET /api/v1/cdc/stream?" + query + " HTTP/1.1\r\nHost: " + node.getHost() + ":"
                + node.getPort()
                + "\r\nAccept: " + accept + "\r\n"
                + token.map(text -> "Authorization: Bearer " + text + "\r\n").orElse("") + "\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        InputStream in = new BufferedInputStream(socket.getInputStream(), RECEIVE_BYTES);
        HttpHead head = HttpHead.read(in);
        InputStream body = head.body(in);
        if (head.status() != 200) {
            String words = new String(body.readAllBytes(), StandardCharsets.UTF_8);
            socket.close();
            throw new IOException("the stream answered " + head.status() + ", expected 200: " + words);
        }
        return new OpenedStream(socket, body);
    }
}
