package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.weir.cdc.consumer.Deduplicator;
import dev.weir.cdc.consumer.Outcome;
import dev.weir.cdc.consumer.SseFrame;
import dev.weir.cdc.consumer.StreamOptions;
import dev.weir.cdc.consumer.StreamRefusedException;
import dev.weir.cdc.consumer.WeirStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The client that we ship, against gateways that come and go. */
class WeirStreamTest {
    private final MemoryCluster cluster = MemoryCluster.of(3);

    private void append(int from, int to) {
        for (int i = from; i < to; i++) {
            cluster.log(i % 3).append(MemoryBatch.point("cpu", "n" + i, i, (long) i));
        }
    }

    private static void takeFresh(WeirStream stream, Deduplicator deduplicator, int count) throws Exception {
        for (int fresh = 0; fresh < count; ) {
            SseFrame frame = Gateway.take(stream, 1).getFirst();
            Deduplicator.Verdict verdict = deduplicator.accept(frame.head());
            assertThat(verdict).as(frame.data()).isNotEqualTo(Deduplicator.Verdict.HOLE);
            fresh += verdict == Deduplicator.Verdict.FRESH ? 1 : 0;
        }
    }

    @Test
    void goesOnAtTheNextNodeWithoutAHole() throws Exception {
        Deduplicator deduplicator = Deduplicator.unfiltered();
        Gateway first = new Gateway(cluster);
        try (Gateway second = new Gateway(cluster);
                WeirStream stream = WeirStream.open(
                        StreamOptions.of(first.base(), second.base()).from("earliest"))) {
            append(0, 30);
            takeFresh(stream, deduplicator, 30);
            append(30, 60);
            takeFresh(stream, deduplicator, 10);
            first.vertx.close().toCompletionStage().toCompletableFuture().get();
            append(60, 90);
            takeFresh(stream, deduplicator, 50);
            assertThat(stream.connects()).isGreaterThan(1);
        } finally {
            first.close();
        }
    }

    private static URI nobody() throws IOException {
        try (ServerSocket taken = new ServerSocket(0)) {
            return URI.create("http://127.0.0.1:" + taken.getLocalPort());
        }
    }

    @Test
    void findsTheOtherNodeWhereTheFirstWasNeverThere() throws Exception {
        try (Gateway gateway = new Gateway(cluster);
                WeirStream stream = WeirStream.open(
                        StreamOptions.of(nobody(), gateway.base()).from("earliest"))) {
            append(0, 1);
            assertThat(stream.receive(Gateway.PATIENCE)).isInstanceOf(Outcome.class);
            assertThat(stream.connects()).isEqualTo(1);
        }
    }

    /** As those of two members of one name do. */
    @Test
    void waitsAfterARoundOfConnectionsThatEndAtOnce() throws Exception {
        HttpServer node = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        node.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(": open\n\n".getBytes(StandardCharsets.UTF_8));
            exchange.close();
        });
        node.start();
        URI base = URI.create("http://127.0.0.1:" + node.getAddress().getPort());
        try (WeirStream stream = WeirStream.open(StreamOptions.of(base, base))) {
            assertThat(stream.receive(Duration.ofMillis(2_500))).isNull();
            assertThat(stream.connects())
                    .as(
                            "after both it waits half a second or more, after both again twice as long; without that it comes to hundreds")
                    .isBetween(2L, 6L);
        } finally {
            node.stop(0);
        }
    }

    @Test
    void resumesFromWhereItBeganWhenItIsCutOffBeforeAnyEvent() throws Exception {
        Gateway first = new Gateway(cluster);
        try (Gateway second = new Gateway(cluster);
                WeirStream stream = first.open(StreamOptions.of(first.base(), second.base()))) {
            append(0, 3);
            first.vertx.close().toCompletionStage().toCompletableFuture().get();
            takeFresh(stream, Deduplicator.unfiltered(), 3);
        } finally {
            first.close();
        }
    }

    @Test
    void givesUpWhereTheServerRefusesAndNotWhereItIsBusy() throws Exception {
        try (Gateway gateway = new Gateway(cluster)) {
            WeirStream refused = WeirStream.open(gateway.options().with("event_type", "none"));
            assertThatThrownBy(() -> refused.next(Gateway.PATIENCE))
                    .isInstanceOfSatisfying(StreamRefusedException.class, e -> {
                        assertThat(e.status()).isEqualTo(400);
                        assertThat(e.body()).contains("point_written");
                    });
            refused.close();

            cluster.leaderless.add(1);
            try (WeirStream busy = WeirStream.open(gateway.options())) {
                assertThat(busy.next(Duration.ofMillis(300))).isNull();
                cluster.leaderless.clear();
                busy.connect(Gateway.PATIENCE);
                append(0, 1);
                takeFresh(busy, Deduplicator.unfiltered(), 1);
            }
        }
    }

    @Test
    void takesASilentConnectionForDead() throws Exception {
        try (ServerSocket mute = new ServerSocket(0);
                Gateway gateway = new Gateway(cluster)) {
            Thread.ofVirtual().start(() -> answerOnceAndFallSilent(mute));
            append(0, 1);
            StreamOptions options = StreamOptions.of(
                            URI.create("http://127.0.0.1:" + mute.getLocalPort()), gateway.base())
                    .from("earliest")
                    .silenceMax(Duration.ofMillis(500));
            try (WeirStream stream = WeirStream.open(options)) {
                takeFresh(stream, Deduplicator.unfiltered(), 1);
                assertThat(stream.connects()).isEqualTo(2);
            }
        }
    }

    private static void answerOnceAndFallSilent(ServerSocket server) {
        try {
            var socket = server.accept();
            socket.getInputStream().read(new byte[4096]);
            socket.getOutputStream()
                    .write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
                            .getBytes());
            socket.getOutputStream().flush();
            socket.getInputStream().read();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void endsAWaitingNextWhenItIsClosed() throws Exception {
        try (Gateway gateway = new Gateway(cluster)) {
            WeirStream stream = gateway.open(gateway.options());
            Thread closer = Thread.ofVirtual().start(stream::close);
            assertThat(stream.next(Gateway.PATIENCE)).isNull();
            closer.join();
        }
    }
}
