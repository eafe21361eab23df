package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.partition.model.ErrorCode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A stream that can't begin, or whose follower fails, gives its seat back. */
@Timeout(60)
final class SeatTest {
    private final MemoryCluster cluster = MemoryCluster.of(1);

    @Test
    void anAnswerThatCannotBegin() throws Exception {
        Vertx vertx = Vertx.vertx();
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        AtomicInteger asked = new AtomicInteger();
        CallerTenant whoHasAnswered = context -> {
            context.response().setChunked(true).write("another answer");
            asked.incrementAndGet();
            return "default";
        };
        CdcRoutes routes = new CdcRoutes(
                cluster,
                cluster.catalog(),
                whoHasAnswered,
                CdcConfig.defaults(),
                new HistorySource(new MemoryHistory(cluster), HistoryConfig.DEFAULTS),
                registry);
        Router router = Router.router(vertx);
        routes.mount(router);
        HttpServer server = vertx.createHttpServer(CdcRoutes.prepare(new HttpServerOptions()))
                .requestHandler(router)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
        try (RawStream stream = new RawStream(server.actualPort(), "", null)) {
            stream.readUntil("another answer");
            await().dontCatchUncaughtExceptions() // the stream's thread passes it on
                    .atMost(Gateway.PATIENCE)
                    .until(() -> asked.get() == 1
                            && registry.get("weir.cdc.subscribers").gauge().value() == 0);
        } finally {
            routes.close();
            vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void aFollowerThatFails() throws Exception {
        AtomicInteger finished = new AtomicInteger();
        StreamWatch failing = new StreamWatch() {
            @Override
            public void opened(OpenStream stream) {}

            @Override
            public void ended(OpenStream stream) {}

            @Override
            public void finished() {
                finished.incrementAndGet();
                throw new IllegalStateException("the follower fails");
            }
        };
        try (Gateway gateway = new Gateway(cluster)) {
            StreamRequest asked = FlightRequest.read("default", "{\"from\":\"now\"}".getBytes(StandardCharsets.UTF_8));
            gateway.routes.begin(new RefusedClient(), asked, failing);
            await().atMost(Gateway.PATIENCE).until(() -> gateway.metric("weir.cdc.subscribers") == 0);
            assertThat(finished).hasValue(1);
        }
    }

    private record RefusedClient() implements StreamAnswer {
        @Override
        public boolean isAdmitted() {
            return true;
        }

        @Override
        public StreamSink open(String cursor, Signal signal) {
            throw RequestRefused.of(ErrorCode.BAD_REQUEST, "no stream");
        }

        @Override
        public void refuse(RequestRefused refused) {}
    }
}
