package dev.weir.ops.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.ops.FakeCluster;
import dev.weir.ops.FakeCluster.Run;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Objects;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands at nodes that speak TLS: whose certificates are taken, and what is said of others. */
final class TlsTest {
    private static final String TABLES = "/api/v1/sql";

    @TempDir
    private Path folder;

    private static String text(String resource) throws IOException {
        try (InputStream in = Objects.requireNonNull(TlsTest.class.getResourceAsStream("/tls/" + resource))) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    private String file(String resource) throws IOException {
        return Files.writeString(folder.resolve(resource), text(resource)).toString();
    }

    /** A node with that certificate of the key first.key. */
    private static FakeCluster node(String certificate) throws IOException, GeneralSecurityException {
        Certificate shown = CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(text(certificate).getBytes(StandardCharsets.US_ASCII)));
        String base64 = text("first.key").replaceAll("-----[A-Z ]+-----", "");
        PrivateKey key = KeyFactory.getInstance("EC")
                .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(base64)));
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        store.setKeyEntry("node", key, new char[0], new Certificate[] {shown});
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return FakeCluster.withTls(context)
                .reply(
                        "POST " + TABLES,
                        200,
                        "{\"columns\":[{\"name\":\"n\",\"type\":\"BIGINT\"}],\"rows\":[],\"row_count\":0}");
    }

    @Test
    void aNodeOfTheNamedAuthorityIsAsked() throws Exception {
        try (FakeCluster node = node("first.crt")) {
            Run run = node.run("tables", "--cacert", file("ca.crt"));

            assertThat(run.err()).isEmpty();
            assertThat(run.exitCode()).isZero();
            assertThat(node.requests()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tables", "cdc tail", "cdc export --to x.parquet", "status"})
    void aNodeOfAnUnknownAuthorityIsNotAskedAndOneLineSaysWhatToDo(String command) throws Exception {
        try (FakeCluster node = node("first.crt")) {
            Run run = node.run(command.split(" "));

            assertThat(run.exitCode()).isEqualTo(3);
            assertThat(run.err())
                    .hasLineCount(1)
                    .contains(node.url())
                    .contains(
                            "its certificate is of an authority that is not known here: name the PEM file of that authority by --cacert FILE (or WEIR_CACERT)");
            assertThat(node.requests()).isEmpty();
        }
    }

    @Test
    void anotherAuthorityThanTheNamedIsSaidSo() throws Exception {
        try (FakeCluster node = node("first.crt")) {
            String other = file("rsa.crt");
            Run run = node.run("tables", "--cacert", other);

            assertThat(run.exitCode()).isEqualTo(3);
            assertThat(run.err()).hasLineCount(1).contains("not one of an authority in " + other);
        }
    }

    @Test
    void aCertificateForAnotherHostIsNotTaken() throws Exception {
        try (FakeCluster node = node("elsewhere.crt")) {
            Run run = node.run("tables", "--cacert", file("ca.crt"));

            assertThat(run.exitCode()).isEqualTo(3);
            assertThat(run.err()).hasLineCount(1).contains("its certificate is for another host", "127.0.0.1");
        }
    }

    @Test
    void aNodeThatSpeaksTheOtherWayIsSaidSo() throws Exception {
        try (ServerSocket plain = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                FakeCluster node = node("first.crt")) {
            Thread.ofVirtual().start(() -> refuseAsBad(plain));
            Run tls = FakeCluster.runAlone("tables", "--url", "https://127.0.0.1:" + plain.getLocalPort());
            assertThat(tls.exitCode()).isEqualTo(3);
            assertThat(tls.err()).hasLineCount(1).contains("it does not speak TLS: ask by http://");

            Run text = FakeCluster.runAlone("tables", "--url", node.url().replace("https:", "http:"));
            assertThat(text.exitCode()).isEqualTo(3);
            assertThat(text.err()).hasLineCount(1).contains("where it speaks TLS, ask by https://");
        }
    }

    /** As a node does that speaks plain text. */
    private static void refuseAsBad(ServerSocket listening) {
        try (Socket socket = listening.accept()) {
            socket.getInputStream().read();
            socket.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aFileWithoutCertificatesIsRefused() throws Exception {
        String none = Files.writeString(folder.resolve("none"), "nonsense").toString();
        Run run = FakeCluster.runAlone("tables", "--url", "https://127.0.0.1:1", "--cacert", none);
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).hasLineCount(1).contains("trusted certificates: expected PEM in " + none);

        Run missing = FakeCluster.runAlone("tables", "--url", "https://127.0.0.1:1", "--cacert", none + "x");
        assertThat(missing.err()).hasLineCount(1).contains("can't be read: NoSuchFile");
    }

    @Test
    void figuresAreTakenOfPlainHttpOnly() {
        Run run = FakeCluster.runAlone("bench", "ingest", "--url", "https://127.0.0.1:1", "--rows", "1");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("expected http://, found https://127.0.0.1:1");
    }
}
