package dev.weir.ops.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Calls to a cluster through any of its nodes. A node that can't be connected to is passed over; a call that was sent is never sent
 * again here. Safe for use by many threads.
 */
public final class ClusterClient implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    /** The first handshake of a JVM takes seconds where a machine is busy. */
    private static final Duration HANDSHAKE_TIMEOUT = Duration.ofSeconds(15);

    private static final String HINT = " (where it speaks TLS, ask by https://)";

    /** Statements have a time limit at the server, which may be set high. */
    private static final Duration STREAM_TIMEOUT = Duration.ofHours(1);

    private final HttpClient http;
    private final List<URI> nodes;
    private final Optional<String> token;
    private final Duration timeout;
    private final Trust trust;
    private final AtomicInteger next = new AtomicInteger();

    /** @param timeout how long one call may take */
    public ClusterClient(List<URI> nodes, Optional<String> token, Duration timeout) {
        this(nodes, token, timeout, Trust.ofJdk());
    }

    /** @param timeout how long one call may take */
    public ClusterClient(List<URI> nodes, Optional<String> token, Duration timeout, Trust trust) {
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException("expected the address of at least one node, found none");
        }
        this.nodes = List.copyOf(nodes);
        this.token = token;
        this.timeout = timeout;
        this.trust = trust;
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(least(timeout, isTls(nodes) ? HANDSHAKE_TIMEOUT : CONNECT_TIMEOUT));
        trust.context().ifPresent(builder::sslContext);
        this.http = builder.build();
    }

    private static boolean isTls(List<URI> nodes) {
        return nodes.stream().anyMatch(node -> "https".equals(node.getScheme()));
    }

    private static Duration least(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** Addresses without a path, {@code http://} added where the scheme is missing. */
    public static List<URI> addresses(List<String> texts) {
        return texts.stream()
                .map(text -> text.contains("://") ? text : "http://" + text)
                .map(text -> text.endsWith("/") ? text.substring(0, text.length() - 1) : text)
                .map(URI::create)
                .toList();
    }

    public List<URI> nodes() {
        return nodes;
    }

    public Optional<String> token() {
        return token;
    }

    public JsonNode get(String path) {
        return call("GET", path, BodyPublishers.noBody(), Map.of()).orFail().json();
    }

    public JsonNode delete(String path) {
        return call("DELETE", path, BodyPublishers.noBody(), Map.of()).orFail().json();
    }

    public JsonNode send(String method, String path, Object body) {
        return call(
                        method,
                        path,
                        BodyPublishers.ofString(Json.compact(body)),
                        Map.of("Content-Type", "application/json"))
                .orFail()
                .json();
    }

    /** Runs a statement at a node. */
    public JsonNode sql(String statement) {
        return send("POST", "/api/v1/sql", Map.of("query", statement));
    }

    /** One call, whatever comes of it; begins at the node after the one that was used last. */
    public Answer call(String method, String path, BodyPublisher body, Map<String, String> headers) {
        return atSomeNode(node -> answer(
                node,
                exchange(
                        node,
                        method,
                        path,
                        request(node, path, timeout, headers).method(method, body),
                        BodyHandlers.ofString(StandardCharsets.UTF_8))));
    }

    /** A POST of JSON whose answer is read as it comes, however long that takes. */
    public StreamedAnswer stream(String path, String json, Map<String, String> headers) {
        return atSomeNode(node -> {
            HttpRequest.Builder request = request(node, path, STREAM_TIMEOUT, headers)
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString(json));
            HttpResponse<InputStream> response = exchange(node, "POST", path, request, BodyHandlers.ofInputStream());
            return new StreamedAnswer(
                    response.statusCode(), response.body(), response.headers().firstValue("Weir-Served-By"));
        });
    }

    /** What is done at one node. */
    private interface Attempt<T> {
        T at(URI node) throws ConnectException;
    }

    private <T> T atSomeNode(Attempt<T> attempt) {
        int first = next.getAndIncrement();
        String unreachable = "";
        for (int i = 0; i < nodes.size(); i++) {
            URI node = nodes.get(Math.floorMod(first + i, nodes.size()));
            try {
                return attempt.at(node);
            } catch (ConnectException e) {
                unreachable += (unreachable.isEmpty() ? "" : "; ") + node + " can't be reached: " + cause(e);
            }
        }
        throw CommandFailedException.unreachable(unreachable);
    }

    private HttpRequest.Builder request(URI node, String path, Duration within, Map<String, String> headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(node + path)).timeout(within);
        token.ifPresent(text -> request.header("Authorization", "Bearer " + text));
        headers.forEach(request::header);
        return request;
    }

    private <T> HttpResponse<T> exchange(
            URI node, String method, String path, HttpRequest.Builder request, HttpResponse.BodyHandler<T> handler)
            throws ConnectException {
        try {
            return http.send(request.build(), handler);
        } catch (java.net.http.HttpConnectTimeoutException e) {
            throw new ConnectException("no connection in time");
        } catch (HttpTimeoutException e) {
            throw CommandFailedException.timedOut(node + " did not answer " + method + " " + path + " in time");
        } catch (ConnectException e) {
            throw e;
        } catch (IOException e) {
            Optional<String> complaint = trust.complaint(e);
            if (complaint.isPresent()) {
                throw new ConnectException(complaint.get());
            }
            throw CommandFailedException.brokenOff(node + " broke off " + method + " " + path + ": " + cause(e)
                    + (node.getScheme().equals("http") ? HINT : ""));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CommandFailedException.timedOut("interrupted in " + method + " " + path);
        }
    }

    private static Answer answer(URI node, HttpResponse<String> response) {
        return new Answer(
                node.toString(),
                response.statusCode(),
                response.body(),
                response.headers()
                        .firstValue("Retry-After")
                        .map(ClusterClient::seconds)
                        .orElse(0),
                response.headers().firstValue("Weir-Commit"));
    }

    private static int seconds(String text) {
        try {
            return Math.max(0, Integer.parseInt(text.strip()));
        } catch (NumberFormatException e) {
            return 1;
        }
    }

    private static String cause(IOException e) {
        return e.getMessage() == null ? "connection refused" : e.getMessage();
    }

    /** A value as part of a query string. */
    public static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        http.shutdownNow();
        http.close();
    }
}
