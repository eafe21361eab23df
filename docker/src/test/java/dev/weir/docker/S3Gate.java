package dev.weir.docker;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** An HTTP proxy before an S3 server that tells a test of data files on their way, before and after the server has seen them. One request a connection. */
final class S3Gate implements AutoCloseable {
    private static final Pattern LENGTH = Pattern.compile("(?im)^content-length: *([0-9]+)");
    private static final Pattern DATA_FILE = Pattern.compile("/p([0-9]+)-[^/?]*\\.parquet");
    private static final String SLOW_DOWN =
            "<?xml version=\"1.0\"?><Error><Code>SlowDown</Code><Message>later</Message></Error>";

    private final ServerSocket server;
    private final int upstream;
    private final AtomicInteger refused = new AtomicInteger();
    private volatile boolean slow;
    private volatile @Nullable Trap trap;
    private volatile boolean sprung;

    /** When a request meets the trap. */
    enum Moment {
        BEFORE_THE_STORE,
        AFTER_THE_STORE
    }

    /**
     * Springs once.
     *
     * @param method of the requests for data files that it waits for
     * @param spring told of the file's partition; then the connection is cut
     */
    record Trap(String method, Moment moment, java.util.function.IntConsumer spring) {}

    S3Gate(int upstream) {
        this.upstream = upstream;
        try {
            this.server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().name("s3-gate").start(this::accept);
    }

    String endpoint() {
        return "http://127.0.0.1:" + server.getLocalPort();
    }

    /** From now on, until it springs. */
    void set(Trap next) {
        sprung = false;
        trap = next;
    }

    /** It has sprung, and what it does is done. */
    boolean hasSprung() {
        return sprung;
    }

    /** Answers every request with 503 SlowDown, or none. */
    void slowDown(boolean on) {
        slow = on;
    }

    /** Requests answered so. */
    int refused() {
        return refused.get();
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            String head = head(client.getInputStream());
            if (head.isEmpty()) {
                return;
            }
            if (head.toLowerCase(java.util.Locale.ROOT).contains("\r\nexpect: 100-continue")) {
                client.getOutputStream().write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
            }
            byte[] body = client.getInputStream().readNBytes(length(head));
            if (slow) {
                refused.incrementAndGet();
                client.getOutputStream().write(slowDown());
                return;
            }
            String[] first = head.split(" ", 3);
            if (springs(first[0], first[1], Moment.BEFORE_THE_STORE)) {
                return;
            }
            byte[] answer = carry(head, body);
            if (!springs(first[0], first[1], Moment.AFTER_THE_STORE)) {
                client.getOutputStream().write(answer);
            }
        } catch (IOException gone) {
            return;
        }
    }

    private static byte[] slowDown() {
        String head = "HTTP/1.1 503 Slow Down\r\nx-amz-request-id: GATE\r\nConnection: close\r\n"
                + "Content-Type: application/xml\r\nContent-Length: " + SLOW_DOWN.length() + "\r\n\r\n";
        return (head + SLOW_DOWN).getBytes(StandardCharsets.ISO_8859_1);
    }

    private boolean springs(String method, String target, Moment moment) {
        Trap set;
        Matcher file = DATA_FILE.matcher(target);
        synchronized (this) {
            set = trap;
            if (set == null || set.moment != moment || !set.method.equals(method) || !file.find()) {
                return false;
            }
            trap = null;
        }
        set.spring.accept(Integer.parseInt(file.group(1)));
        sprung = true;
        return true;
    }

    private byte[] carry(String head, byte[] body) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), upstream)) {
            String request = head.replaceAll("(?im)^(connection|expect):.*\r\n", "");
            socket.getOutputStream().write(closing(request.getBytes(StandardCharsets.ISO_8859_1)));
            socket.getOutputStream().write(body);
            return closing(socket.getInputStream().readAllBytes());
        }
    }

    /** Tells the client that the connection ends, or it would try the next request on it. */
    private static byte[] closing(byte[] message) {
        String text = new String(message, StandardCharsets.ISO_8859_1);
        return text.replaceFirst("\r\n", "\r\nConnection: close\r\n").getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int last4 = 0;
        while (last4 != 0x0d0a0d0a) {
            int next = in.read();
            if (next < 0) {
                return "";
            }
            head.write(next);
            last4 = last4 << 8 | next;
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }

    private static int length(String head) {
        Matcher length = LENGTH.matcher(head);
        return length.find() ? Integer.parseInt(length.group(1)) : 0;
    }
}
