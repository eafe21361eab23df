package dev.weir.docker;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/** Hands requests on to a node, waits for the answer, and closes the connection to the client without a word. */
final class AnswerLosingProxy implements AutoCloseable {
    private static final Set<String> OWN_HEADERS =
            Set.of("connection", "content-length", "expect", "host", "http2-settings", "upgrade");

    private final String backend;
    private final HttpServer server;
    private final List<Integer> lost = Collections.synchronizedList(new ArrayList<>());

    AnswerLosingProxy(String backend) throws IOException {
        this.backend = backend;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::lose);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Statuses of the answers that nobody got. */
    List<Integer> lost() {
        return List.copyOf(lost);
    }

    private void lose(HttpExchange exchange) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(backend + exchange.getRequestURI()))
                .method(
                        exchange.getRequestMethod(),
                        BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (!OWN_HEADERS.contains(name.toLowerCase(java.util.Locale.ROOT))) {
                values.forEach(value -> request.header(name, value));
            }
        });
        try {
            lost.add(HttpClient.newHttpClient()
                    .send(request.build(), BodyHandlers.discarding())
                    .statusCode());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            exchange.close();
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
