package dev.weir.node.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests that share a connection of HTTP/2, one of which breaks. */
final class BrokenRequestTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Vertx vertx = Vertx.vertx();
    private final AtomicReference<HttpServerResponse> open = new AtomicReference<>();
    private final AtomicReference<String> received = new AtomicReference<>("");

    @AfterEach
    void close() throws Exception {
        done(vertx.close());
    }

    private static <T> T done(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    /** Keeps answers to GET open; whatever else it gets it cuts as soon as something of the body has come. */
    private void serve(HttpServerRequest request) {
        if (request.method() == HttpMethod.GET) {
            open.set(request.response().setChunked(true));
            request.response().write("open,");
            return;
        }
        request.handler(part -> BrokenRequest.cut(request));
    }

    @Test
    void overHttp2OthersOfTheConnectionGoOn() throws Exception {
        HttpServer server =
                done(vertx.createHttpServer().requestHandler(this::serve).listen(0, "127.0.0.1"));
        HttpClient client = vertx.createHttpClient(
                new HttpClientOptions()
                        .setProtocolVersion(HttpVersion.HTTP_2)
                        .setHttp2ClearTextUpgrade(false)
                        .setDefaultHost("127.0.0.1")
                        .setDefaultPort(server.actualPort()),
                new PoolOptions().setHttp2MaxSize(1));
        HttpClientResponse answer = done(client.request(HttpMethod.GET, "/")
                .compose(HttpClientRequest::send)
                .onSuccess(response ->
                        response.handler(part -> received.accumulateAndGet(part.toString(), String::concat))));
        assertThat(answer.version()).isEqualTo(HttpVersion.HTTP_2);

        HttpClientRequest second = done(client.request(HttpMethod.POST, "/"));
        AtomicReference<Throwable> failure = new AtomicReference<>();
        second.exceptionHandler(failure::set).setChunked(true);
        second.write("part");
        await().atMost(PATIENCE).until(() -> failure.get() != null);
        assertThat(second.connection()).isSameAs(answer.request().connection());

        vertx.runOnContext(nothing -> open.get().end("whole"));
        await().atMost(PATIENCE).until(() -> received.get().equals("open,whole"));
    }
}
