package dev.weir.node.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.node.tls.PeerTls;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.query.sql.SqlRoutes;
import dev.weir.query.sql.route.NodeNotice;
import dev.weir.query.sql.route.RouteConfig;
import dev.weir.query.sql.route.RoutedStatement;
import dev.weir.query.sql.route.RoutedStatement.Parameter;
import dev.weir.query.sql.route.Routes;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.StreamResetException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A front that passes everything to a target whose behaviour each test sets; what the target does not take is answered "here". */
final class StatementPasserTest {
    private static final RoutedStatement STATEMENT =
            new RoutedStatement("t ä", "user", "SELECT 1", "text/csv", List.of(new Parameter("epoch", "ns")));

    private static final Vertx VERTX = Vertx.vertx();

    private final HttpClient client = HttpClient.newHttpClient();
    private final AtomicReference<Handler<HttpServerRequest>> target = new AtomicReference<>();
    private final Routes routes = new Routes("n1", new RouteConfig(RouteConfig.Mode.AUTO, 0), () -> 0);
    private int targetPort;
    private HttpServer front;
    private StatementPasser passer;

    @BeforeEach
    void start() throws Exception {
        targetPort = listen(request -> target.get().handle(request)).actualPort();
        NodeRecord node = new NodeRecord("n2", "127.0.0.1", targetPort, 1, 1, 0);
        passer = new StatementPasser(
                VERTX,
                PeerTls.unchecked(VERTX, new SimpleMeterRegistry()),
                routes,
                id -> Optional.of(node).filter(known -> known.id().equals(id)),
                new PeerAuth("c", "secret"),
                Duration.ofSeconds(30),
                new SimpleMeterRegistry());
        front = listen(request -> passer.send(
                "n2", STATEMENT, request.response(), () -> request.response().end("here")));
        routes.hear(new NodeNotice("n2", 0, 4, Map.of("t", 9L), Map.of("t", 9L)), System.nanoTime());
    }

    private HttpServer listen(Handler<HttpServerRequest> handler) throws Exception {
        return VERTX.createHttpServer()
                .requestHandler(handler)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
    }

    @AfterEach
    void stop() {
        client.shutdownNow();
        passer.close();
    }

    @AfterAll
    static void stopAll() throws Exception {
        VERTX.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    private HttpResponse<String> ask() throws IOException, InterruptedException {
        return client.send(request(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest request() {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + front.actualPort()))
                .timeout(Duration.ofSeconds(20))
                .build();
    }

    private static HttpServerResponse taken(HttpServerRequest request) {
        request.response().writeEarlyHints(HttpHeaders.headers());
        return request.response().putHeader(SqlRoutes.SERVED_BY, "n2");
    }

    private void assertAnsweredHere() throws Exception {
        assertThat(ask().body()).isEqualTo("here");
        assertThat(routes.sent()).isZero();
    }

    @Test
    void passesStatementStatusHeadersAndBodyOn() throws Exception {
        CompletableFuture<RoutedStatement> arrived = new CompletableFuture<>();
        target.set(request -> request.body().onSuccess(body -> {
            arrived.complete(RouteMessages.decodeStatement(body));
            taken(request).putHeader("Weir-Read", "c1").setStatusCode(404).end("no table");
        }));
        HttpResponse<String> answer = ask();
        assertThat(arrived.get(1, TimeUnit.SECONDS)).isEqualTo(STATEMENT);
        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(answer.body()).isEqualTo("no table");
        assertThat(answer.headers().firstValue("Weir-Served-By")).contains("n2");
        assertThat(answer.headers().firstValue("Weir-Read")).contains("c1");
        await().atMost(Duration.ofSeconds(10)).until(() -> routes.sent() == 0);
    }

    @Test
    void waitsForAnAnswerThatWasTakenLongerThanForItsTaking() throws Exception {
        target.set(request -> {
            HttpServerResponse response = taken(request);
            VERTX.setTimer(PassedStatement.TAKEN_MS_MAX + 200, late -> response.end("late"));
        });
        assertThat(ask().body()).isEqualTo("late");
    }

    @Test
    void aNodeThatDoesNotTakeItCostsOneRetryAndGetsNoMore() throws Exception {
        target.set(request -> {});
        assertAnsweredHere();
        assertThat(passer.target("t")).isEmpty();
    }

    @Test
    void aNodeThatRefusesConnectionsOrBreaksOffBeforeItsAnswerCostsOneRetry() throws Exception {
        target.set(request -> {
            taken(request);
            VERTX.setTimer(50, later -> request.connection().close());
        });
        assertAnsweredHere();
    }

    @Test
    void aNodeThatStartsOrIsOverloadedIsPassedOver() throws Exception {
        target.set(request -> request.response().setStatusCode(503).end("{\"code\":\"starting\"}"));
        assertAnsweredHere();
        target.set(
                request -> taken(request).setStatusCode(503).end("{\"error\":\"stopping\",\"code\":\"overloaded\"}\n"));
        assertAnsweredHere();
    }

    @Test
    void aPartitionWithoutLeaderHasNoneAnywhere() throws Exception {
        target.set(request -> taken(request).setStatusCode(503).end("{\"code\":\"no_leader\"}"));
        HttpResponse<String> answer = ask();
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).contains("no_leader");
    }

    @Test
    void anAnswerThatBreaksOffNeverLooksWhole() {
        target.set(request -> {
            HttpServerResponse response = taken(request).setChunked(true);
            response.write("part");
            VERTX.setTimer(50, later -> response.reset());
        });
        assertThatThrownBy(this::ask).isInstanceOf(IOException.class);
        assertThat(routes.sent()).isZero();
    }

    /** A reset without the code of an error is, over HTTP/2, the end of a whole answer. */
    @Test
    void anAnswerThatBreaksOffIsAnErrorOverHttp2() {
        target.set(request -> {
            HttpServerResponse response = taken(request).setChunked(true);
            response.write("part");
            VERTX.setTimer(50, later -> response.reset());
        });
        HttpClientAgent http2 = VERTX.createHttpClient(
                new HttpClientOptions().setProtocolVersion(HttpVersion.HTTP_2).setHttp2ClearTextUpgrade(false));
        assertThatThrownBy(() -> http2.request(HttpMethod.GET, front.actualPort(), "127.0.0.1", "/")
                        .compose(HttpClientRequest::send)
                        .compose(HttpClientResponse::body)
                        .toCompletionStage()
                        .toCompletableFuture()
                        .get(20, TimeUnit.SECONDS))
                .cause()
                .isInstanceOfSatisfying(
                        StreamResetException.class,
                        reset -> assertThat(reset.getCode()).isEqualTo(2));
    }

    @Test
    void aClientThatLeavesEndsTheStatementThere() throws Exception {
        AtomicBoolean asked = new AtomicBoolean();
        AtomicBoolean ended = new AtomicBoolean();
        target.set(request -> {
            taken(request).closeHandler(gone -> ended.set(true));
            asked.set(true);
        });
        CompletableFuture<HttpResponse<String>> answer =
                client.sendAsync(request(), HttpResponse.BodyHandlers.ofString());
        await().atMost(Duration.ofSeconds(10)).until(asked::get);
        answer.cancel(true);
        await().atMost(Duration.ofSeconds(10)).until(ended::get);
        await().atMost(Duration.ofSeconds(10)).until(() -> routes.sent() == 0);
    }

    @Test
    void aSlowClientSlowsTheTarget() throws Exception {
        AtomicInteger written = new AtomicInteger();
        Buffer piece = Buffer.buffer(new byte[64 << 10]);
        target.set(request -> {
            HttpServerResponse response = taken(request).setChunked(true);
            writeOn(response, piece, written);
        });
        HttpResponse<java.io.InputStream> answer = client.send(request(), HttpResponse.BodyHandlers.ofInputStream());
        answer.body().read();
        AtomicInteger before = new AtomicInteger(-1);
        await().atMost(Duration.ofSeconds(15))
                .pollInterval(Duration.ofMillis(300))
                .until(() -> before.getAndSet(written.get()) == written.get());
        assertThat((long) written.get() * piece.length()).isLessThan(64L << 20);
        answer.body().close();
    }

    private static void writeOn(HttpServerResponse response, Buffer piece, AtomicInteger written) {
        if (written.get() < 4096) {
            response.write(piece).onSuccess(done -> {
                written.incrementAndGet();
                writeOn(response, piece, written);
            });
        }
    }
}
