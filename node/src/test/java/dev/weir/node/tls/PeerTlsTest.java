package dev.weir.node.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.node.config.TlsConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemKeyCertOptions;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose certificates a node takes from another. */
final class PeerTlsTest {
    private static final String WHERE = "127.0.0.1:1";

    private final Vertx vertx = Vertx.vertx();
    private final ExecutorService blocking = Executors.newVirtualThreadPerTaskExecutor();
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();

    @TempDir
    private Path temp;

    private TlsFolder folder;

    @BeforeEach
    void name() throws Exception {
        folder = new TlsFolder(temp);
        folder.putPair("first", "first");
    }

    @AfterEach
    void close() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
        blocking.shutdownNow();
    }

    private HttpTls open(TlsConfig files) {
        return HttpTls.open(vertx, files, Clock.systemUTC(), blocking, metrics);
    }

    private static HttpClient client(HttpTls tls) {
        return tls.peers().client(new HttpClientOptions(), new PoolOptions());
    }

    /** A node with that certificate; null for plain text. */
    private int node(String certificate, String key) throws Exception {
        PemKeyCertOptions pair = new PemKeyCertOptions()
                .addCertValue(Buffer.buffer(TlsFolder.text(certificate + ".crt")))
                .addKeyValue(Buffer.buffer(TlsFolder.text(key + ".key")));
        return listen(new HttpServerOptions().setSsl(true).setKeyCertOptions(pair));
    }

    private int listen(HttpServerOptions options) throws Exception {
        HttpServer server = vertx.createHttpServer(options)
                .requestHandler(request -> request.response().end())
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
        return server.actualPort();
    }

    /** 200, or why there was no answer. */
    private String ask(HttpTls tls, HttpClient client, int port, boolean ssl) throws Exception {
        RequestOptions options = new RequestOptions()
                .setHost("127.0.0.1")
                .setPort(port)
                .setURI("/")
                .setSsl(ssl);
        try {
            return client.request(options)
                    .compose(HttpClientRequest::send)
                    .map(HttpClientResponse::statusCode)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(20, TimeUnit.SECONDS)
                    .toString();
        } catch (ExecutionException e) {
            return tls.peers().reason(WHERE, e.getCause());
        }
    }

    private String ask(HttpTls tls, int port) throws Exception {
        return ask(tls, client(tls), port, true);
    }

    @Test
    void takesThoseOfTheNamedAuthoritiesForTheHostThatWasAsked() throws Exception {
        folder.putAuthorities("ca.crt");
        HttpTls tls = open(folder.withAuthorities());

        assertThat(ask(tls, node("second", "second"))).isEqualTo("200");
        assertThat(ask(tls, node("rsa", "rsa")))
                .contains("no TLS with it: ", "unable to find valid certification path");
        assertThat(ask(tls, node("elsewhere", "first"))).contains("127.0.0.1");
        assertThat(ask(tls, node("expired", "first"))).contains("NotAfter");
        assertThat(metrics.get("weir.http.tls.peer.failures").counter().count()).isEqualTo(3);
    }

    @Test
    void takesItsOwnWithoutAuthorities() throws Exception {
        HttpTls tls = open(folder.withoutAuthorities());
        assertThat(ask(tls, node("first", "first"))).isEqualTo("200");
        folder.putPair("rsa", "rsa");
        HttpTls signsItself = open(folder.withoutAuthorities());
        assertThat(ask(signsItself, node("rsa", "rsa"))).isEqualTo("200");

        assertThat(ask(tls, node("second", "second"))).contains("unable to find valid certification path");
    }

    @Test
    void takesAnyWhereItSpeaksPlainTextItselfAndTrustsNobody() throws Exception {
        HttpTls tls = open(new TlsConfig(Optional.empty(), Optional.empty()));

        assertThat(ask(tls, node("rsa", "rsa"))).isEqualTo("200");
        assertThat(ask(tls, node("elsewhere", "first"))).isEqualTo("200");
    }

    @Test
    void asksNodesOfBothKindsThroughOneClient() throws Exception {
        HttpTls tls = open(folder.withoutAuthorities());
        HttpClient client = client(tls);
        int plain = listen(new HttpServerOptions());

        assertThat(ask(tls, client, plain, false)).isEqualTo("200");
        assertThat(ask(tls, client, node("first", "first"), true)).isEqualTo("200");
        assertThat(ask(tls, client, plain, true)).contains("no TLS with it: ").hasSizeLessThan(300);
    }

    @Test
    void takesRenewedAuthorities() throws Exception {
        folder.putAuthorities("rsa.crt");
        HttpTls tls = open(folder.withAuthorities());
        HttpClient client = client(tls);
        int second = node("second", "second");
        assertThat(ask(tls, client, second, true)).contains("unable to find valid certification path");

        tls.watch(vertx.createHttpServer(), Duration.ofMillis(10));
        folder.putAuthorities("ca.crt");
        await().atMost(Duration.ofSeconds(20)).until(() -> ask(tls, client, second, true), "200"::equals);
    }
}
