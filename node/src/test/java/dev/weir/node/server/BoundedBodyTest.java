package dev.weir.node.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests by hand: a body is answered while more of it is still to come. */
final class BoundedBodyTest {
    private final Vertx vertx = Vertx.vertx();
    private int port;

    @BeforeEach
    void open() throws Exception {
        Router router = Router.router(vertx);
        new TicketRoute(null, null).mount(router);
        router.post("/json").handler(context -> Answers.withJson(context, 16, json -> context.json(json)));
        HttpServer server = vertx.createHttpServer()
                .requestHandler(router)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
        port = server.actualPort();
    }

    @AfterEach
    void close() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    /** What is answered to the beginning of a body that goes on for a terabyte. */
    private String answer(String path, String beginning) throws Exception {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(20_000);
            socket.connect(new InetSocketAddress("127.0.0.1", port));
            String request =
                    "POST " + path + " HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000000\r\n\r\n" + beginning;
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            StringBuilder answer = new StringBuilder();
            while (answer.indexOf("}") < 0) {
                int next = socket.getInputStream().read();
                assertThat(next).as(answer.toString()).isNotNegative();
                answer.append((char) next);
            }
            return answer.toString();
        }
    }

    @Test
    void aBodyThatIsTooLargeIsRefusedBeforeItIsRead() throws Exception {
        assertThat(answer("/api/v1/cdc/tickets", "x"))
                .startsWith("HTTP/1.1 400")
                .contains("expected none");
        assertThat(answer("/json", "{\"a\":\"0123456789\""))
                .startsWith("HTTP/1.1 413")
                .contains("at most 16 bytes");
    }
}
