package dev.weir.node.ingest;

import dev.weir.partition.write.BatchId;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;

/** The front door behind a real HTTP server, over a catalog and partitions in memory. */
final class IngestServer implements AutoCloseable {
    static final Instant NOW = Instant.parse("2026-11-29T12:00:00.123456789Z");
    static final long NOW_NANOS = NOW.getEpochSecond() * 1_000_000_000L + NOW.getNano();

    final FoldingCatalog catalog;
    final MapPartitions partitions = new MapPartitions();
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    volatile boolean authenticated = true;
    volatile List<HealthCheck> checks = List.of();

    /** Shared: making one takes longer than most tests. */
    private static final Vertx VERTX = Vertx.vertx();

    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();
    private final HttpServer server;

    IngestServer(int partitions) {
        this(new FoldingCatalog(partitions), IngestLimits.defaults());
    }

    IngestServer(FoldingCatalog catalog, IngestLimits limits) {
        this.catalog = catalog;
        AtomicLong counter = new AtomicLong();
        Router router = Router.router(VERTX);
        new IngestRoutes(
                        new IngestPorts(
                                catalog,
                                partitions,
                                () -> new BatchId("n1", 1, counter.incrementAndGet()),
                                () -> NOW,
                                meters,
                                () -> checks),
                        limits,
                        context -> new TenantOf.Caller("acme", authenticated))
                .mount(router);
        try {
            server = VERTX.createHttpServer(new HttpServerOptions().setHandle100ContinueAutomatically(true))
                    .requestHandler(router)
                    .listen(0, "127.0.0.1")
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    int port() {
        return server.actualPort();
    }

    /** Posts line protocol. */
    HttpResponse<String> lines(String body) {
        return post("/api/v2/write", body);
    }

    HttpResponse<String> json(String body) {
        return post("/api/v1/write", body);
    }

    HttpResponse<String> post(String path, String body, String... headers) {
        return post(path, body.getBytes(StandardCharsets.UTF_8), headers);
    }

    HttpResponse<String> post(String path, byte[] body, String... headers) {
        return send("POST", path, body, headers);
    }

    HttpResponse<String> get(String path) {
        return send("GET", path, new byte[0]);
    }

    HttpResponse<String> send(String method, String path, byte[] body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .timeout(Duration.ofSeconds(30))
                .method(
                        method,
                        body.length == 0
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(body));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        try {
            return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    List<String> stored() {
        return partitions.texts();
    }

    static byte[] gzip(String text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    @Override
    public void close() {
        try {
            server.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
