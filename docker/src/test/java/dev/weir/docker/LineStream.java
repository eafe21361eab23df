package dev.weir.docker;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;

/** An endless response as a client that takes gzip reads it, line by line, each with the time at which it came. One connection, never opened again. */
final class LineStream implements AutoCloseable {
    private static final String END = "(the connection ended)";

    private final HttpResponse<InputStream> response;
    private final LinkedBlockingQueue<Line> lines = new LinkedBlockingQueue<>();

    private record Line(String text, long nanos) {}

    private LineStream(HttpResponse<InputStream> response) {
        this.response = response;
        Thread.ofPlatform().daemon().name("line-stream").start(this::read);
    }

    /** Returns when the headers have come. */
    static LineStream open(String url) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .header("Accept", "text/event-stream")
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
        return new LineStream(response);
    }

    String header(String name) {
        return response.headers().firstValue(name).orElse("");
    }

    /** By bytes: a {@link java.io.Reader} over an inflating stream waits until its buffer is full. */
    private void read() {
        try (InputStream raw = response.body();
                InputStream plain = header("Content-Encoding").equals("gzip") ? new GZIPInputStream(raw) : raw) {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            for (int next = plain.read(); next >= 0; next = plain.read()) {
                if (next == '\n') {
                    lines.add(new Line(line.toString(StandardCharsets.UTF_8), System.nanoTime()));
                    line.reset();
                } else {
                    line.write(next);
                }
            }
            lines.add(new Line(END, System.nanoTime()));
        } catch (IOException e) {
            lines.add(new Line(END + ": " + e, System.nanoTime()));
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
            response.body().close();
        } catch (IOException e) {
            // It is closed one way or the other.
            return;
        }
    }
}
