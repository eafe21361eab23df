package dev.weir.docker;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;

/**
 * An endless response as a client that takes gzip reads it, line by line, each with the time at which it came; or what a WebSocket brings, message by message. One
 * connection, never opened again.
 */
final class LineStream implements AutoCloseable {
    private static final String END = "(the connection ended)";

    private static final String ARROW = "application/vnd.apache.arrow.stream";

    private final Map<String, String> headers;
    private final LinkedBlockingQueue<Line> lines = new LinkedBlockingQueue<>();
    private AutoCloseable connection = () -> {};

    private record Line(String text, long nanos) {}

    private LineStream(Map<String, String> headers) {
        this.headers = headers;
    }

    /** Returns when the headers have come. */
    static LineStream open(String url) throws IOException, InterruptedException {
        HttpResponse<InputStream> response = get(url, "text/event-stream");
        LineStream stream = over(response);
        Thread.ofPlatform().daemon().name("line-stream").start(() -> stream.readLines(response.body()));
        return stream;
    }

    /** Record batches: each line is all that has come so far, so that no text is cut in two. */
    static LineStream openArrow(String url) throws IOException, InterruptedException {
        HttpResponse<InputStream> response = get(url, ARROW);
        LineStream stream = over(response);
        Thread.ofPlatform().daemon().name("arrow-stream").start(() -> stream.readParts(response.body()));
        return stream;
    }

    /** Each message is a line, and each ping. */
    static LineStream openSocket(String url) {
        LineStream stream = new LineStream(Map.of());
        WebSocket socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .connectTimeout(Duration.ofSeconds(10))
                .buildAsync(URI.create(url.replaceFirst("^http", "ws")), stream.new Messages())
                .join();
        stream.connection = socket::abort;
        return stream;
    }

    private static LineStream over(HttpResponse<InputStream> response) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        response.headers().map().forEach((name, values) -> headers.put(name, values.getFirst()));
        LineStream stream = new LineStream(headers);
        stream.connection = response.body();
        return stream;
    }

    private static HttpResponse<InputStream> get(String url, String accept) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .header("Accept", accept)
                .header("Accept-Encoding", "gzip")
                .build();
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(10))
                .build();
        HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
        if (response.statusCode() != 200) {
            throw new AssertionError(url + " answered " + response.statusCode());
        }
        return response;
    }

    String header(String name) {
        return headers.getOrDefault(name, "");
    }

    /** By bytes: a {@link java.io.Reader} over an inflating stream waits until its buffer is full. */
    private void readLines(InputStream raw) {
        try (InputStream plain = plain(raw)) {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            for (int next = plain.read(); next >= 0; next = plain.read()) {
                if (next == '\n') {
                    add(line.toString(StandardCharsets.UTF_8));
                    line.reset();
                } else {
                    line.write(next);
                }
            }
            add(END);
        } catch (IOException e) {
            add(END + ": " + e);
        }
    }

    private void readParts(InputStream raw) {
        try (InputStream plain = plain(raw)) {
            StringBuilder all = new StringBuilder();
            byte[] part = new byte[64 << 10];
            for (int count = plain.read(part); count >= 0; count = plain.read(part)) {
                all.append(new String(part, 0, count, StandardCharsets.ISO_8859_1));
                add(all.toString());
            }
            add(END);
        } catch (IOException e) {
            add(END + ": " + e);
        }
    }

    private InputStream plain(InputStream raw) throws IOException {
        return header("Content-Encoding").equals("gzip") ? new GZIPInputStream(raw) : raw;
    }

    private void add(String text) {
        lines.add(new Line(text, System.nanoTime()));
    }

    private final class Messages implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                add(text.toString());
                text.setLength(0);
            }
            socket.request(1);
            return null;
        }

        @Override
        public CompletionStage<?> onPing(WebSocket socket, ByteBuffer message) {
            add("(ping)");
            socket.request(1);
            return null;
        }

        @Override
        public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            add(END + " with " + code);
            return null;
        }

        @Override
        public void onError(WebSocket socket, Throwable error) {
            add(END + ": " + error);
        }
    }

    /** Takes lines until one holds {@code text}. */
    void await(Duration patience, String text, String where) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        StringBuilder found = new StringBuilder();
        while (true) {
            Line line = lines.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (line == null) {
                throw new AssertionError(
                        where + ": expected a line with " + text + " within " + patience + ", found: " + found);
            }
            if (line.text().contains(text)) {
                return;
            }
            requireOpen(line);
            found.append(line.text()).append('\n');
        }
    }

    /** Listens for so long, counted from the first line that was not taken yet or from now; answers the longest silence. */
    Duration longestGap(Duration listened) throws InterruptedException {
        long start = lines.isEmpty() ? System.nanoTime() : lines.element().nanos();
        long last = start;
        long longest = 0;
        while (true) {
            long left = start + listened.toNanos() - System.nanoTime();
            Line line = left > 0 ? lines.poll(left, TimeUnit.NANOSECONDS) : lines.poll();
            long until = line == null ? System.nanoTime() : line.nanos();
            longest = Math.max(longest, until - last);
            if (line == null) {
                return Duration.ofNanos(longest);
            }
            requireOpen(line);
            last = line.nanos();
        }
    }

    private static void requireOpen(Line line) {
        if (line.text().startsWith(END)) {
            throw new AssertionError("the stream did not stay open: " + line.text());
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (Exception e) {
            // It is closed one way or the other.
            return;
        }
    }
}
