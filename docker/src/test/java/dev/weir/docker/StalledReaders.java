package dev.weir.docker;

import static org.awaitility.Awaitility.await;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Readers at each node that ask for the change stream from its beginning, and then take nothing: what waits, waits at the node. By HTTP/2, which has windows of 64 KiB; over 1.1 the
 * machine's sockets would take in some megabytes first. Those of a node that is killed are gone.
 */
final class StalledReaders implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** A stream has four writes under way, if they are small; each of an event by itself as Arrow has a KiB. */
    private static final int WAITING_BYTES_LEAST = 2 << 10;

    private static final int LOOKS = 4;

    private final LocalCluster cluster;
    private final Vertx vertx = Vertx.vertx();
    private final HttpClient client = vertx.createHttpClient(
            new HttpClientOptions()
                    .setProtocolVersion(HttpVersion.HTTP_2)
                    .setHttp2ClearTextUpgrade(false)
                    .setHttp2MultiplexingLimit(1),
            new PoolOptions().setHttp2MaxSize(100));
    private final List<FlightCall> calls = new ArrayList<>();
    private final List<Consumer<String>> kinds = List.of(
            node -> ask(node, "", "text/event-stream"),
            node -> ask(node, "&max_rows=1", "application/vnd.apache.arrow.stream"),
            node -> calls.add(FlightCall.openWithLittleRoom(node, Map.of("from", "earliest", "max_rows", "1"))));

    StalledReaders(LocalCluster cluster) {
        this.cluster = cluster;
    }

    /** One of each kind at each node. */
    void begin() {
        kinds.forEach(this::begin);
    }

    /** Anew, at nodes that are ready; waits until what each does not take waits for it. */
    void beginAndAwaitFull() {
        for (Consumer<String> kind : kinds) {
            List<Double> before = pending();
            begin(kind);
            await().atMost(PATIENCE).until(() -> haveGrown(before));
        }
    }

    private void begin(Consumer<String> kind) {
        cluster.urls().forEach(kind);
    }

    private void ask(String node, String query, String accept) {
        client.request(new RequestOptions()
                        .setMethod(HttpMethod.GET)
                        .setAbsoluteURI(node + "/api/v1/cdc/stream?from=earliest" + query)
                        .putHeader("Accept", accept))
                .compose(HttpClientRequest::send)
                .onSuccess(response -> response.pause().exceptionHandler(gone -> {}));
    }

    private boolean haveGrown(List<Double> before) {
        List<Double> now = pending();
        return IntStream.range(0, now.size()).allMatch(node -> now.get(node) - before.get(node) >= WAITING_BYTES_LEAST);
    }

    /** At each node, the least of some looks: what waits for a reader that takes it is gone by the next. */
    private List<Double> pending() {
        return IntStream.rangeClosed(1, cluster.size())
                .mapToObj(node -> IntStream.range(0, LOOKS)
                        .mapToDouble(look -> pending(node))
                        .min()
                        .orElseThrow())
                .toList();
    }

    private double pending(int node) {
        try {
            return cluster.metric(node, BoundsReader.PENDING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            for (FlightCall call : calls) {
                call.close();
            }
            calls.clear();
        } catch (Exception e) {
            throw new AssertionError("expected calls that leave nothing behind", e);
        }
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
