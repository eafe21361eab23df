package dev.weir.cdc;

import dev.weir.cdc.consumer.SseFrame;
import dev.weir.cdc.consumer.StreamOptions;
import dev.weir.cdc.consumer.WeirStream;
import dev.weir.partition.feed.FeedDirectory;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A gateway on a port of its own, over a cluster in memory. The tenant is {@code default}, or what the header {@code Tenant} says. */
final class Gateway implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(20);

    final Vertx vertx = Vertx.vertx();
    final MemoryCluster cluster;
    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    final CdcRoutes routes;
    final SubscriptionRoutes subscriptions;
    final HttpServer server;
    private final HttpClient client = HttpClient.newHttpClient();

    Gateway(MemoryCluster cluster) throws Exception {
        this(cluster, CdcConfig.defaults());
    }

    Gateway(MemoryCluster cluster, CdcConfig config) throws Exception {
        this(cluster, cluster, config);
    }

    Gateway(MemoryCluster cluster, FeedDirectory directory, CdcConfig config) throws Exception {
        this("a", cluster, directory, config, new HistorySource(new MemoryHistory(cluster), HistoryConfig.DEFAULTS));
    }

    Gateway(MemoryCluster cluster, FeedDirectory directory, CdcConfig config, HistorySource history) throws Exception {
        this("a", cluster, directory, config, history);
    }

    /** Of which the system keeps little for a client that does not read. */
    static Gateway withSmallBuffers(MemoryCluster cluster, CdcConfig config) throws Exception {
        return new Gateway(
                "a",
                cluster,
                cluster,
                config,
                new HistorySource(new MemoryHistory(cluster), HistoryConfig.DEFAULTS),
                new HttpServerOptions().setSendBufferSize(16 * 1024),
                Duration.ofSeconds(2));
    }

    Gateway(String node, MemoryCluster cluster, FeedDirectory directory, CdcConfig config, HistorySource history)
            throws Exception {
        this(node, cluster, directory, config, history, new HttpServerOptions(), Duration.ofSeconds(2));
    }

    /** Where members of groups that are not there are given up after a while. */
    Gateway(String node, MemoryCluster cluster, CdcConfig config, HistorySource history, Duration memberTimeout)
            throws Exception {
        this(node, cluster, cluster, config, history, new HttpServerOptions(), memberTimeout);
    }

    static Gateway withSmallBuffers(MemoryCluster cluster, CdcConfig config, HistorySource history) throws Exception {
        return new Gateway(
                "a",
                cluster,
                cluster,
                config,
                history,
                new HttpServerOptions().setSendBufferSize(16 * 1024),
                Duration.ofSeconds(2));
    }

    private Gateway(
            String node,
            MemoryCluster cluster,
            FeedDirectory directory,
            CdcConfig config,
            HistorySource history,
            HttpServerOptions options,
            Duration memberTimeout)
            throws Exception {
        this.cluster = cluster;
        this.routes = new CdcRoutes(
                directory,
                cluster.catalog(),
                context -> {
                    String tenant = context.request().getHeader("Tenant");
                    return tenant == null ? "default" : tenant;
                },
                config,
                history,
                registry);
        Router router = Router.router(vertx);
        routes.mount(router);
        subscriptions = new SubscriptionRoutes(
                node,
                routes,
                cluster.catalog(),
                context -> {
                    String tenant = context.request().getHeader("Tenant");
                    return tenant == null ? "default" : tenant;
                },
                () -> true,
                new SubscriptionConfig(
                        3,
                        Duration.ofMillis(300),
                        100,
                        memberTimeout,
                        4,
                        new HistoryLimits(1_000, Duration.ofDays(36_500), 4_000, partition -> cluster.space)),
                registry);
        subscriptions.mount(router);
        this.server = vertx.createHttpServer(CdcRoutes.prepare(options))
                .requestHandler(router)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
    }

    int port() {
        return server.actualPort();
    }

    URI base() {
        return URI.create("http://127.0.0.1:" + port());
    }

    StreamOptions options() {
        return StreamOptions.of(base());
    }

    /** Connected: what is appended from now on is seen. */
    WeirStream open(StreamOptions options) throws Exception {
        WeirStream stream = WeirStream.open(options);
        stream.connect(PATIENCE);
        return stream;
    }

    /** An answer that is no stream. */
    HttpResponse<String> get(String query, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base() + "/api/v1/cdc/stream" + query))
                .timeout(PATIENCE);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> send(String method, String path, String tenant) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(base() + path))
                        .timeout(PATIENCE)
                        .header("Tenant", tenant)
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** The next change events, control frames left out. */
    static List<SseFrame> take(WeirStream stream, int count) throws IOException, InterruptedException {
        List<SseFrame> frames = new ArrayList<>();
        while (frames.size() < count) {
            SseFrame frame = stream.next(PATIENCE);
            if (frame == null) {
                throw new AssertionError("expected " + count + " events, found " + frames.size());
            }
            if (frame.isChange()) {
                frames.add(frame);
            }
        }
        return frames;
    }

    /** A call about subscriptions; the path begins after {@code /api/v1/cdc/subscriptions}. */
    HttpResponse<String> call(String method, String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(base() + "/api/v1/cdc/subscriptions" + path))
                .version(HttpClient.Version.HTTP_1_1)
                .timeout(PATIENCE)
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    static SseFrame takeControl(WeirStream stream, String event) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < deadline) {
            SseFrame frame = stream.next(PATIENCE);
            if (frame != null && frame.event().equals(event)) {
                return frame;
            }
        }
        throw new AssertionError("no " + event + " frame came");
    }

    double metric(String name) {
        return registry.get(name).meter().measure().iterator().next().getValue();
    }

    @Override
    public void close() throws Exception {
        routes.close();
        subscriptions.close();
        client.shutdownNow();
        vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }
}
