package dev.weir.cdc.consumer;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A blocking client of the change stream. Reconnects by itself, to the next node where one fails, after the last id that {@link #next} has
 * handed out; so events may come twice (see {@link Deduplicator}) and none is left out.
 *
 * <p>One thread calls {@link #next}; {@link #close} may come from any.
 */
public final class WeirStream implements AutoCloseable {
    private static final long RETRY_MS = 1_000;
    private static final long RETRY_MS_MAX = 30_000;
    private static final int GONE = 410;
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}");

    private final HttpClient client;
    private final StreamOptions options;
    private final StreamPath path;
    private final ArrayDeque<SseFrame> frames = new ArrayDeque<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    private @Nullable String lastId;
    private volatile @Nullable Connection connection;
    private int node;
    private int failures;
    private final AtomicLong connects = new AtomicLong();
    private volatile @Nullable HttpHeaders headers;
    private long retryMs = RETRY_MS;
    private long retryAt = System.nanoTime();
    private long silentSince = System.nanoTime();
    private volatile long disconnectedSince = System.nanoTime();

    /** What one connection needs: its bytes and the parser of them. */
    private record Connection(ChunkQueue chunks, SseParser parser, long since) {}

    private WeirStream(HttpClient client, StreamOptions options, StreamPath path) {
        this.client = client;
        this.options = options;
        this.path = path;
        this.lastId = path.ownPlace() ? options.lastId() : null;
    }

    /** Does not connect yet: {@link #connect} or the first {@link #next} does. */
    public static WeirStream open(StreamOptions options) {
        return new WeirStream(client(options, null), options, StreamPath.OWN);
    }

    /**
     * The same at nodes that speak TLS.
     *
     * @param trusted says whose certificates are taken; without it those of the JDK are
     */
    public static WeirStream open(StreamOptions options, SSLContext trusted) {
        return new WeirStream(client(options, trusted), options, StreamPath.OWN);
    }

    /** Of a subscription, of which the cluster keeps the place. */
    static WeirStream open(StreamOptions options, @Nullable SSLContext trusted, StreamPath path) {
        return new WeirStream(client(options, trusted), options, path);
    }

    /** HTTP/1.1: this client loses bytes of answers that begin at once, over an upgrade. */
    static HttpClient client(StreamOptions options, @Nullable SSLContext trusted) {
        HttpClient.Builder client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(options.connectTimeout());
        return trusted == null ? client.build() : client.sslContext(trusted).build();
    }

    /**
     * Connects if not connected; when it returns, what is written from now on will be seen.
     *
     * @throws StreamRefusedException the server refused
     * @throws IOException no node could be reached in that time, or none with a certificate that is taken
     */
    public void connect(Duration timeout) throws IOException, InterruptedException {
        long deadline = deadlineAfter(timeout);
        IOException last = null;
        while (connection == null) {
            if (isClosed() || System.nanoTime() - deadline > 0) {
                throw new IOException(isClosed() ? "the stream was closed" : "no node answered in " + timeout, last);
            }
            try {
                tryConnect(deadline);
            } catch (StreamRefusedException e) {
                throw e;
            } catch (IOException e) {
                disconnect();
                last = e;
                if (isOfCertificate(e) && failures >= options.nodes().size()) {
                    throw e; // none becomes good while one waits
                }
            }
        }
    }

    /** As of {@link System#nanoTime}; what is longer than 73 years is as good as these. */
    static long deadlineAfter(Duration timeout) {
        return System.nanoTime() + Math.min(TimeUnit.NANOSECONDS.convert(timeout), Long.MAX_VALUE / 4);
    }

    private static boolean isOfCertificate(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException) {
                return true;
            }
        }
        return false;
    }

    /**
     * The next frame, control frames included; null when none came in that time or the stream was closed.
     *
     * @throws StreamRefusedException the server refused to go on, for example with 410 where the cursor has become too old
     */
    public @Nullable SseFrame next(Duration timeout) throws IOException, InterruptedException {
        long deadline = deadlineAfter(timeout);
        while (true) {
            SseFrame frame = frames.poll();
            if (frame != null) {
                if (frame.id() != null) {
                    lastId = frame.id();
                }
                return frame;
            }
            if (isClosed() || System.nanoTime() - deadline > 0) {
                return null;
            }
            fill(deadline);
        }
    }

    /**
     * As {@link #next}, by what came. A cursor that is too old is {@link Outcome.Lost}; the call after it asks again.
     *
     * @throws StreamRefusedException the server refused to go on, for any other reason
     */
    public @Nullable Outcome receive(Duration timeout) throws IOException, InterruptedException {
        try {
            SseFrame frame = next(timeout);
            return frame == null ? null : Outcome.of(frame, connects.get());
        } catch (StreamRefusedException e) {
            if (e.status() == GONE) {
                return Outcome.lost(e.body());
            }
            throw e;
        }
    }

    /** The cursor after all that {@link #next} has handed out; null while none is known. Store it with your results. */
    public @Nullable String lastId() {
        return lastId;
    }

    /** How often it has connected; more than one means that events may have come twice. */
    public long connects() {
        return connects.get();
    }

    /** Of the newest connection's answer; empty where it has none of this name, or where there was no connection yet. */
    String header(String name) {
        HttpHeaders newest = headers;
        return newest == null ? "" : newest.firstValue(name).orElse("");
    }

    /** Ends the connection, forgets what has come by it and was not handed out, and goes on at the next node. */
    void reconnect() {
        frames.clear();
        disconnect();
    }

    /** How long there has been no connection; zero while there is one. A stream tries for ever: how long is too long only its reader knows. */
    public Duration disconnectedFor() {
        return connection != null ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - disconnectedSince);
    }

    @Override
    public void close() {
        closed.countDown();
        Connection open = connection;
        if (open != null) {
            open.chunks().cancel();
        }
        client.shutdownNow();
    }

    private boolean isClosed() {
        return closed.getCount() == 0;
    }

    private void fill(long deadline) throws IOException, InterruptedException {
        Connection open = connection;
        try {
            if (open == null) {
                tryConnect(deadline);
                return;
            }
            long silence = options.silenceMax().toNanos();
            long wait = Math.min(deadline - System.nanoTime(), silence);
            List<ByteBuffer> chunk = open.chunks().take(wait);
            if (chunk != null) {
                silentSince = System.nanoTime();
                chunk.forEach(bytes -> parse(open.parser(), bytes));
            } else if (System.nanoTime() - silentSince > silence) {
                throw new IOException("no byte in " + options.silenceMax());
            }
        } catch (StreamRefusedException e) {
            throw e;
        } catch (IOException e) {
            disconnect();
        }
    }

    private static void parse(SseParser parser, ByteBuffer bytes) {
        if (bytes.hasArray()) {
            parser.feed(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
            return;
        }
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        parser.feed(copy, 0, copy.length);
    }

    /** Once for each connection that failed or could not be made. */
    private void disconnect() {
        Connection open = connection;
        connection = null;
        if (open != null) {
            disconnectedSince = System.nanoTime();
            retryMs = open.parser().retryMs() < 0 ? RETRY_MS : open.parser().retryMs();
            open.chunks().cancel();
            // One that ends at once is no success, though it began with a chunk as every one does.
            boolean lasted = System.nanoTime() - open.since() > TimeUnit.MILLISECONDS.toNanos(retryMs);
            failures = lasted ? 0 : failures;
        }
        node = (node + 1) % options.nodes().size();
        failures++;
        // The first other node is tried at once; only a full round without success waits.
        boolean roundDone = failures % options.nodes().size() == 0;
        if (roundDone) {
            int rounds = Math.min(failures / options.nodes().size(), 6);
            waitMs(Math.min(RETRY_MS_MAX, retryMs << (rounds - 1)));
        }
    }

    private void waitMs(long ms) {
        long jittered = ms / 2 + ThreadLocalRandom.current().nextLong(ms / 2 + 1);
        retryAt = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(jittered);
    }

    private void tryConnect(long deadline) throws IOException, InterruptedException {
        long wait = Math.min(retryAt, deadline) - System.nanoTime();
        if (wait > 0 && closed.await(wait, TimeUnit.NANOSECONDS)) {
            return;
        }
        if (System.nanoTime() - retryAt < 0) {
            return;
        }
        URI uri = options.streamAt(options.nodes().get(node), path, lastId);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).header("Accept", "text/event-stream");
        if (!options.token().isEmpty()) {
            request.header("Authorization", "Bearer " + options.token());
        }
        String resumeAfter = lastId;
        if (resumeAfter != null && path.ownPlace()) {
            request.header("Last-Event-ID", resumeAfter);
        }
        try {
            accept(send(request.build()));
        } catch (StreamRefusedException e) {
            waitMs(retryMs);
            throw e;
        }
    }

    /** The time-out is for the headers alone: the body has no end. */
    private HttpResponse<Object> send(HttpRequest request) throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<Object>> answer = client.sendAsync(request, WeirStream::body);
        try {
            return answer.get(options.connectTimeout().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new IOException("no answer from " + request.uri() + " in " + options.connectTimeout(), e);
        } catch (ExecutionException e) {
            throw new IOException("can't reach " + request.uri() + ": " + e.getCause(), e.getCause());
        }
    }

    private static HttpResponse.BodySubscriber<Object> body(HttpResponse.ResponseInfo info) {
        if (info.statusCode() == 200) {
            return new ChunkQueue();
        }
        return BodySubscribers.mapping(BodySubscribers.ofByteArray(), bytes -> bytes);
    }

    private void accept(HttpResponse<Object> response) throws IOException {
        if (response.body() instanceof ChunkQueue chunks) {
            silentSince = System.nanoTime();
            connection = new Connection(chunks, new SseParser(frames::add), silentSince);
            connects.incrementAndGet();
            headers = response.headers();
            if (lastId == null) {
                lastId = response.headers().firstValue("Weir-Cursor").orElse(null);
            }
            return;
        }
        String text = response.body() instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : "";
        int status = response.statusCode();
        if (isTransient(status)) {
            retryMs = retryAfterMs(response);
            throw new IOException("HTTP " + status + ": " + text);
        }
        throw new StreamRefusedException(status, text);
    }

    /** Another try, or another node, may do better. */
    static boolean isTransient(int status) {
        return status == 408 || status == 429 || status >= 500;
    }

    /** Weir names seconds; whatever a proxy names instead, such as a date, is a second. */
    static long retryAfterMs(HttpResponse<?> response) {
        String seconds = response.headers().firstValue("Retry-After").orElse("").strip();
        return SECONDS.matcher(seconds).matches()
                ? Math.max(100, Math.min(RETRY_MS_MAX, Long.parseLong(seconds) * 1_000))
                : RETRY_MS;
    }
}
