package dev.weir.node.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.node.ingest.FoldingCatalog;
import dev.weir.node.tls.PeerTls;
import dev.weir.partition.catalog.NodeRecord;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Feeds of a node that refuses. */
final class FeedLocatorTest {
    private final Vertx vertx = Vertx.vertx();
    private final List<Long> askedAt = new CopyOnWriteArrayList<>();
    private PeerClient peers;
    private FeedLocator locator;

    @BeforeEach
    void open() throws Exception {
        HttpServer server = vertx.createHttpServer()
                .requestHandler(request -> {
                    askedAt.add(System.nanoTime());
                    request.response().setStatusCode(421).end();
                })
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
        peers = new PeerClient(PeerTls.unchecked(vertx, new SimpleMeterRegistry()), new PeerAuth("c", "secret"));
        FoldingCatalog catalog =
                new FoldingCatalog(1, new NodeRecord("n1", "127.0.0.1", server.actualPort(), 7071, 7072, 0));
        NoPartitions local = new NoPartitions();
        LeaderTable leaders = new LeaderTable("n2", local, partition -> Optional.empty());
        ReadRouter reads = new ReadRouter("n2", vertx, catalog, local, leaders, peers, Duration.ofSeconds(1));
        locator = new FeedLocator(vertx, catalog, local, peers, reads);
    }

    @AfterEach
    void close() throws Exception {
        peers.close();
        vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    /** Each change has every stream ask again, and streams ask on their own too. */
    @Test
    void aNodeThatRefusesIsAskedAfterAPauseHoweverManyAsk() throws Exception {
        try (AutoCloseable listening = locator.onChange(() -> locator.feed(0))) {
            await().pollInterval(Duration.ofMillis(5))
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> {
                        locator.feed(0);
                        return askedAt.size() >= 4;
                    });
        }
        assertThat(askedAt.get(3) - askedAt.get(0))
                .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(3 * FeedLocator.RETRY_MS));
    }
}
