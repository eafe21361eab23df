package dev.weir.cdc;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.weir.partition.model.Cursor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A node with the subscription {@code work}, of partition 0: each stream gives one event, stays open and is of the next generation. Acknowledgements to the first one are
 * refused as of a generation that is over.
 */
final class ScriptedNode implements AutoCloseable {
    private static final String SUBSCRIPTION = "/api/v1/cdc/subscriptions/work";

    private final HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicInteger streams = new AtomicInteger();
    private final List<String> acknowledged = new CopyOnWriteArrayList<>();
    private final AtomicReference<String> retryAfter = new AtomicReference<>("");

    /** @param starts the seqs that the streams begin with, the last one those after it too */
    ScriptedNode(long... starts) throws IOException {
        server.setExecutor(threads);
        server.createContext(SUBSCRIPTION + "/stream", exchange -> {
            int generation = streams.incrementAndGet();
            stream(exchange, generation, starts[Math.min(generation, starts.length) - 1]);
        });
        server.createContext(SUBSCRIPTION + "/ack", this::acknowledge);
        server.start();
    }

    URI base() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    int streams() {
        return streams.get();
    }

    /** The bodies, in order. */
    List<String> acknowledged() {
        return acknowledged;
    }

    /** The next acknowledgement gets a 503 that says when to come back. */
    void refuseNext(String when) {
        retryAfter.set(when);
    }

    private void acknowledge(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        acknowledged.add(body);
        String when = retryAfter.getAndSet("");
        if (!when.isEmpty()) {
            exchange.getResponseHeaders().set("Retry-After", when);
            answer(exchange, 503, "{}");
        } else if (body.contains("\"generation\":1}")) {
            answer(exchange, 409, "{\"error\":\"moved\",\"code\":\"stale_generation\"}");
        } else {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        }
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static void stream(HttpExchange exchange, int generation, long seq) throws IOException {
        String start = new Cursor(new TreeMap<>(Map.of(0, seq))).encode("default");
        exchange.getResponseHeaders().set("Weir-Generation", Integer.toString(generation));
        exchange.getResponseHeaders().set("Weir-Partitions", "0");
        exchange.getResponseHeaders().set("Weir-Cursor", start);
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody()
                .write(("event: point_written\nid: " + start + ";0:" + (seq + 1) + "\ndata: {\"seq\":" + seq
                                + ",\"prev\":null,\"partition\":0}\n\n")
                        .getBytes(StandardCharsets.UTF_8));
        exchange.getResponseBody().flush();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
