package dev.weir.node.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Routes behind a server of their own, asked over a plain socket: what HTTP clients don't let a program send can be sent here. */
final class RawServer implements AutoCloseable {
    private static final int WAIT_SECONDS_MAX = 20;

    private final Vertx vertx = Vertx.vertx();
    private final int port;

    RawServer(Consumer<Router> routes) throws Exception {
        Router router = Router.router(vertx);
        routes.accept(router);
        port = vertx.createHttpServer()
                .requestHandler(router)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(WAIT_SECONDS_MAX, TimeUnit.SECONDS)
                .actualPort();
    }

    /**
     * The whole answer to a request without a body.
     *
     * @param target method and path
     * @param headers each with the end of its line
     */
    String answer(String target, String headers) throws IOException {
        try (Socket socket = ask(target, headers + "Connection: close\r\n", "")) {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** The answer up to a character, to a request of whose body this is only the beginning. */
    String answerUpTo(char last, String target, String headers, String beginning) throws IOException {
        try (Socket socket = ask(target, headers, beginning)) {
            StringBuilder answer = new StringBuilder();
            while (answer.indexOf(String.valueOf(last)) < 0) {
                int next = socket.getInputStream().read();
                assertThat(next).as(answer.toString()).isNotNegative();
                answer.append((char) next);
            }
            return answer.toString();
        }
    }

    private Socket ask(String target, String headers, String body) throws IOException {
        Socket socket = new Socket();
        socket.setSoTimeout(WAIT_SECONDS_MAX * 1_000);
        socket.connect(new InetSocketAddress("127.0.0.1", port));
        String request = target + " HTTP/1.1\r\nHost: weir:7070\r\n" + headers + "\r\n" + body;
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    @Override
    public void close() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(WAIT_SECONDS_MAX, TimeUnit.SECONDS);
    }
}
