package dev.weir.node.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.node.config.ConfigException;
import dev.weir.node.config.TlsConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.KeyCertOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509KeyManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** TLS on a port, with files that change under it. */
final class HttpTlsTest {
    private static final Duration LOOK = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String[] ALL = {"h2", "http/1.1"};

    private final Vertx vertx = Vertx.vertx();
    private final ExecutorService blocking = Executors.newVirtualThreadPerTaskExecutor();
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();

    @TempDir
    private Path temp;

    private TlsFolder folder;
    private HttpTls tls;

    @BeforeEach
    void name() {
        folder = new TlsFolder(temp);
    }

    @AfterEach
    void close() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
        blocking.shutdownNow();
    }

    private HttpTls open(Clock clock) {
        return HttpTls.open(vertx, folder.withoutAuthorities(), clock, blocking, metrics);
    }

    private HttpServer listen() throws Exception {
        tls = open(Clock.systemUTC());
        HttpServer server = listen(tls.prepare(new HttpServerOptions()));
        tls.watch(server, LOOK);
        return server;
    }

    private HttpServer listen(HttpServerOptions options) throws Exception {
        return vertx.createHttpServer(options)
                .requestHandler(request -> request.response().end("served"))
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
    }

    private static SSLSocket connect(HttpServer server) throws IOException, GeneralSecurityException {
        return connect(server.actualPort());
    }

    private static SSLSocket connect(int port) throws IOException, GeneralSecurityException {
        return (SSLSocket) trusting().getSocketFactory().createSocket("127.0.0.1", port);
    }

    /** The name in the certificate that the port shows, and the protocol that it chose of these. */
    private static String shown(HttpServer server, String... protocols) {
        return shown(server.actualPort(), protocols);
    }

    private static String shown(int port, String... protocols) {
        try (SSLSocket socket = connect(port)) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(protocols);
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            X509Certificate own = (X509Certificate) socket.getSession().getPeerCertificates()[0];
            return own.getSubjectX500Principal().getName() + " " + socket.getApplicationProtocol();
        } catch (IOException | GeneralSecurityException e) {
            throw new AssertionError("no handshake", e);
        }
    }

    private static SSLContext trusting() throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new TrustAll()}, new SecureRandom());
        return context;
    }

    private static final class TrustAll implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    private double count(String name) {
        return metrics.get(name).counter().count();
    }

    @Test
    void choosesTheProtocolThatTheClientTakes() throws Exception {
        folder.putPair("first", "first");
        HttpServer server = listen();

        assertThat(shown(server, ALL)).isEqualTo("CN=first.weir.test h2");
        assertThat(shown(server, "http/1.1")).isEqualTo("CN=first.weir.test http/1.1");
        assertThat(shown(server)).isEqualTo("CN=first.weir.test ");
    }

    @Test
    void refusesVersionsBefore12() throws Exception {
        folder.putPair("first", "first");
        HttpServer server = listen();

        try (SSLSocket socket = connect(server)) {
            socket.setEnabledProtocols(new String[] {"TLSv1.2"});
            socket.startHandshake();
            assertThat(socket.getSession().getProtocol()).isEqualTo("TLSv1.2");
        }
        HttpServerOptions options = tls.prepare(new HttpServerOptions());
        assertThat(options.getEnabledSecureTransportProtocols()).containsExactlyInAnyOrder("TLSv1.2", "TLSv1.3");
    }

    @Test
    void takesRenewedFilesWhileOpenConnectionsGoOn() throws Exception {
        folder.putPair("first", "first");
        HttpServer server = listen();

        try (SSLSocket before = connect(server)) {
            before.startHandshake();
            folder.putPair("rsa", "rsa");
            await().atMost(PATIENCE).until(() -> shown(server, ALL).equals("CN=rsa.weir.test h2"));
            folder.putPair("second", "second");
            await().atMost(PATIENCE).until(() -> shown(server, ALL).equals("CN=second.weir.test h2"));

            before.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(before.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .endsWith("served");
        }
        await().atMost(PATIENCE).until(() -> count("weir.http.tls.renewals") == 2);
        assertThat(count("weir.http.tls.renewal.failures")).isZero();
    }

    /** As the port of Flight does: Netty asks by way of an engine. */
    @Test
    void givesOtherPortsTheCertificateOfTheMoment() throws Exception {
        folder.putPair("first", "first");
        HttpServer server = listen();
        X509KeyManager keys = (X509KeyManager) tls.keys().orElseThrow();
        HttpServer other = listen(new HttpServerOptions().setSsl(true).setKeyCertOptions(KeyCertOptions.wrap(keys)));
        assertThat(shown(other)).startsWith("CN=first.weir.test");

        folder.putPair("rsa", "rsa");
        await().atMost(PATIENCE).until(() -> shown(server, ALL).equals("CN=rsa.weir.test h2"));
        await().atMost(PATIENCE).until(() -> count("weir.http.tls.renewals") == 1);
        assertThat(shown(other)).startsWith("CN=rsa.weir.test");
    }

    @Test
    void keepsWhatItHasWhereFilesCannotBeUsed() throws Exception {
        folder.putPair("first", "first");
        HttpServer server = listen();

        folder.putPair("second", "first");
        await().atMost(PATIENCE).until(() -> count("weir.http.tls.renewal.failures") == 1);
        assertThat(tls.complaints()).singleElement().asString().contains("http.tls.key", "the key of another");
        assertThat(shown(server, ALL)).startsWith("CN=first.weir.test");

        Files.delete(folder.key());
        await().atMost(PATIENCE).until(() -> count("weir.http.tls.renewal.failures") == 2);
        assertThat(tls.complaints()).singleElement().asString().contains("found no file");
        assertThat(shown(server, ALL)).startsWith("CN=first.weir.test");

        folder.putPair("second", "second");
        await().atMost(PATIENCE).until(() -> shown(server, ALL).startsWith("CN=second.weir.test"));
        await().atMost(PATIENCE).until(() -> tls.complaints().isEmpty());
        assertThat(count("weir.http.tls.renewal.failures")).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            first   | second    | http.tls.key: expected the EC key of the certificate of CN=first.weir.test (http.tls.cert), found the key of another
            rsa     | first     | http.tls.key: expected the RSA key of the certificate of CN=rsa.weir.test (http.tls.cert), in PEM form
            first   | encrypted | http.tls.key: expected a key that is not encrypted
            expired | first     | found that CN=expired.weir.test is valid from 2020-01-01T00:00:00Z to 2020-12-31T00:00:00Z
            """)
    void doesNotStartWithFilesThatCannotBeUsed(String certificate, String key, String message) throws Exception {
        folder.putPair(certificate, key);
        assertThatThrownBy(() -> open(Clock.systemUTC()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);
    }

    @Test
    void saysWhichFileIsNoneOfItsKind() throws Exception {
        assertThatThrownBy(() -> open(Clock.systemUTC()))
                .hasMessage("http.tls.cert: expected a PEM file, found no file " + folder.certificate());

        folder.putPair("first", "first");
        Files.writeString(folder.key(), "nonsense");
        assertThatThrownBy(() -> open(Clock.systemUTC()))
                .hasMessageContaining("http.tls.key: expected the EC key of the certificate of CN=first.weir.test");

        Files.writeString(folder.certificate(), "nonsense");
        assertThatThrownBy(() -> open(Clock.systemUTC()))
                .hasMessageContaining("http.tls.cert: expected a certificate in PEM form")
                .hasMessageContaining("found none in 8 bytes");

        Files.writeString(folder.certificate(), "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
        assertThatThrownBy(() -> open(Clock.systemUTC()))
                .hasMessageContaining("http.tls.cert: expected X.509, found that certificate 1 is none");
    }

    @Test
    void everyDamagedByteOfACertificateIsRefusedOrTaken() throws Exception {
        folder.putPair("first", "first");
        byte[] good = Files.readAllBytes(folder.certificate());
        for (int i = 0; i < good.length; i += 7) {
            byte[] damaged = good.clone();
            damaged[i] ^= 0x15;
            Files.write(folder.certificate(), damaged);
            try {
                open(Clock.systemUTC());
            } catch (ConfigException e) {
                assertThat(e).hasMessageStartingWith("http.tls.");
            }
        }
    }

    @Test
    void saysHowLongTheCertificateIsGood() throws Exception {
        folder.putPair("first", "first");
        Instant end = Instant.parse("2119-12-08T00:00:00Z");
        HttpTls soon = open(Clock.fixed(end.minus(Duration.ofDays(3)), ZoneOffset.UTC));

        assertThat(metrics.get("weir.http.tls.expires.days").gauge().value()).isEqualTo(3);
        assertThat(soon.complaints()).containsExactly("the certificate of http.tls.cert ends at " + end);
        assertThatThrownBy(() -> open(Clock.fixed(end.plusSeconds(1), ZoneOffset.UTC)))
                .isInstanceOf(ConfigException.class);
    }

    @Test
    void speaksPlainTextWithoutFiles() {
        TlsConfig none = new TlsConfig(Optional.empty(), Optional.empty());
        HttpTls plain = HttpTls.open(vertx, none, Clock.systemUTC(), blocking, metrics);

        assertThat(plain.prepare(new HttpServerOptions()).isSsl()).isFalse();
        assertThat(plain.complaints()).isEqualTo(List.of());
        assertThat(metrics.find("weir.http.tls.expires.days").gauge()).isNull();
    }
}
