package dev.weir.node.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.node.internal.FeedMessages.Place;
import dev.weir.node.tls.PeerTls;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.partition.feed.FeedPage;
import dev.weir.partition.feed.PartitionFeed;
import dev.weir.partition.store.StoreException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A feed of a node whose answers the test sets. */
final class RemoteFeedTest {
    private final Vertx vertx = Vertx.vertx();
    private PeerClient peers;
    private RemoteFeed feed;
    private volatile int statusOfBytes = 404;
    /** When it was asked to wait, or where it stands; it never waits. */
    private final List<Long> waitsAt = new CopyOnWriteArrayList<>();
    /** What it says of an event; null: it knows no such call. */
    private volatile PartitionFeed.@Nullable Kept keeps;

    @BeforeEach
    void open() throws Exception {
        HttpServer server = vertx.createHttpServer()
                .requestHandler(this::answer)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
        peers = new PeerClient(PeerTls.unchecked(vertx, new SimpleMeterRegistry()), new PeerAuth("c", "secret"));
        NodeRecord node = new NodeRecord("n2", "127.0.0.1", server.actualPort(), 1, 1, 0);
        feed = RemoteFeed.open(3, node, peers).toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    @AfterEach
    void close() throws Exception {
        feed.close();
        peers.close();
        vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    private void answer(HttpServerRequest request) {
        Place place = new Place(1, 4, 9, 100, false);
        if (request.path().endsWith("/wait")) {
            waitsAt.add(System.nanoTime());
            request.response().end(FeedMessages.standing(place, 100));
        } else if (request.path().endsWith("/kept")) {
            answerKept(request, place);
        } else if (request.path().endsWith("/feed")) {
            request.response().end(FeedMessages.encode(place, new FeedPage(List.of(), 9, 9)));
        } else {
            request.response().setStatusCode(statusOfBytes).end();
        }
    }

    private void answerKept(HttpServerRequest request, Place place) {
        PartitionFeed.Kept kept = keeps;
        if (kept == null) {
            request.response().setStatusCode(404).end();
        } else {
            request.response().end(FeedMessages.kept(place, kept));
        }
    }

    @Test
    void aCallThatAnOlderNodeDoesNotKnowEndsNoFeed() throws Exception {
        assertThatThrownBy(() -> feed.bytesFrom(5))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("n2")
                .hasMessageContaining("404");
        assertThat(feed.closed()).isFalse();
        assertThat(feed.read(9, 1).head()).isEqualTo(9);
    }

    @Test
    void aNodeThatWaitsForItsStoreKeepsTheFeed() throws Exception {
        statusOfBytes = InternalRoutes.STORE_WAITS;
        assertThatThrownBy(() -> feed.bytesFrom(5))
                .isInstanceOfSatisfying(
                        StoreException.class, away -> assertThat(away.mayHeal()).isTrue());
        assertThat(feed.closed()).isFalse();
        assertThat(feed.read(9, 1).head()).isEqualTo(9);
    }

    @Test
    void asksAnOlderNodeForTheEventItself() throws Exception {
        assertThat(feed.kept(9)).isEqualTo(new PartitionFeed.Kept(9, 0));
        keeps = new PartitionFeed.Kept(9, 77);
        assertThat(feed.kept(9)).isEqualTo(keeps);
    }

    @Test
    void aNodeThatDoesNotWaitIsAskedAfterAPause() throws Exception {
        int before = waitsAt.size();
        try (AutoCloseable listening = feed.onAdvance(() -> {})) {
            await().atMost(20, TimeUnit.SECONDS).until(() -> waitsAt.size() >= before + 4);
        }
        assertThat(waitsAt.get(before + 3) - waitsAt.get(before))
                .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(3 * RemoteFeed.PAUSE_MS));
    }

    @Test
    void aNodeThatNoLongerHoldsThePartitionEndsIt() {
        statusOfBytes = 421;
        assertThatThrownBy(() -> feed.bytesFrom(5)).isInstanceOf(IOException.class);
        assertThat(feed.closed()).isTrue();
    }
}
