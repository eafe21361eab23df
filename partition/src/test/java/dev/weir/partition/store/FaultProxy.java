package dev.weir.partition.store;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An HTTP proxy before an S3 server that does to requests what a test asks for. One request a connection. */
public final class FaultProxy implements AutoCloseable {
    private static final Pattern LENGTH = Pattern.compile("(?im)^content-length: *([0-9]+)");

    /** What becomes of a request. */
    public sealed interface Fate {
        /** Carried to the server and its answer back. */
        record Pass() implements Fate {}

        /** Answered here. */
        record Answer(int status, String code, Duration clockAhead) implements Fate {}

        /** Carried to the server, whose answer is lost: the connection stays silent. */
        record Silence() implements Fate {}

        /**
         * The connection is cut.
         *
         * @param carried the server sees the request before
         * @param before runs just before the cut
         */
        record Cut(boolean carried, Runnable before) implements Fate {}
    }

    public interface Plan {
        /** @param number of this request since the plan was made, from 1 */
        Fate fate(String method, String target, int number);
    }

    public static final Fate PASS = new Fate.Pass();

    private final ServerSocket server;
    private final int upstream;
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private volatile Counted plan = new Counted((method, target, number) -> PASS);

    private static final class Counted {
        private final Plan plan;
        private int count;

        Counted(Plan plan) {
            this.plan = plan;
        }

        synchronized Fate next(String method, String target) {
            return plan.fate(method, target, ++count);
        }
    }

    public FaultProxy(int upstream) throws IOException {
        this.upstream = upstream;
        this.server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().name("fault-proxy").start(this::accept);
    }

    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort());
    }

    public void plan(Plan next) {
        plan = new Counted(next);
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : open) {
            socket.close();
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                open.add(socket);
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
            if (head.toLowerCase(Locale.ROOT).contains("\r\nexpect: 100-continue")) {
                client.getOutputStream().write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
            }
            byte[] body = client.getInputStream().readNBytes(length(head));
            String[] first = head.split(" ", 3);
            switch (plan.next(first[0], first[1])) {
                case Fate.Pass pass -> client.getOutputStream().write(carry(head, body));
                case Fate.Answer answer -> client.getOutputStream().write(text(answer, first[0]));
                case Fate.Silence silence -> {
                    carry(head, body);
                    client.getInputStream().read();
                }
                case Fate.Cut cut -> {
                    if (cut.carried()) {
                        carry(head, body);
                    }
                    cut.before().run();
                }
            }
        } catch (IOException gone) {
            return;
        } finally {
            open.remove(client);
        }
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
    private static byte[] closing(byte[] response) {
        String text = new String(response, StandardCharsets.ISO_8859_1);
        return text.replaceFirst("\r\n", "\r\nConnection: close\r\n").getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] text(Fate.Answer answer, String method) {
        String xml =
                "<?xml version=\"1.0\"?><Error><Code>" + answer.code() + "</Code><Message>as planned</Message></Error>";
        String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(
                ZonedDateTime.now(ZoneOffset.UTC).plus(answer.clockAhead()));
        String head = "HTTP/1.1 " + answer.status() + " Planned\r\nDate: " + date
                + "\r\nx-amz-request-id: PLANNED\r\nContent-Type: application/xml\r\nConnection: close\r\nContent-Length: "
                + xml.length() + "\r\n\r\n";
        return (head + (method.equals("HEAD") ? "" : xml)).getBytes(StandardCharsets.ISO_8859_1);
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
