package dev.weir.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster that speaks plain text is switched to TLS node by node, while each node is written to and asked for all that was written; then what users have: commands, curl over
 * HTTP/2 and 1.1, a stream under which the certificate is renewed.
 */
@EnabledIfSystemProperty(
        named = "weir.chaos",
        matches = "long",
        disabledReason = "skipped: runs with -Pchaos, for its time")
final class TlsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @RegisterExtension
    static final LocalCluster CLUSTER = LocalCluster.of(3, "--partitions", "4", "-c", "sql.routing-bytes-min=1");

    @TempDir
    private Path folder;

    private int written;

    @Test
    void aClusterIsSwitchedToTlsNodeByNodeAndRenewsItsCertificate() throws Exception {
        put("first");
        put("ca.crt", folder.resolve("ca.crt"));
        int switched = 0;
        writeAndCountThroughAll(switched);
        statementsArePassedOn(switched);
        CLUSTER.weir(
                        "local",
                        "up",
                        "--detach",
                        "--dir",
                        CLUSTER.dir().toString(),
                        "-c",
                        "http.tls.cert=" + folder.resolve("weir.crt"),
                        "-c",
                        "http.tls.key=" + folder.resolve("weir.key"),
                        "-c",
                        "http.tls.ca=" + folder.resolve("ca.crt"))
                .orFail();
        for (int node = 1; node <= 3; node++) {
            CLUSTER.restart(node);
            switched = node;
            writeAndCountThroughAll(switched);
            statementsArePassedOn(switched);
        }
        commandsWork();
        aStreamGoesOnWhileTheCertificateIsRenewed();
    }

    private static void put(String resource, Path to) throws IOException {
        try (InputStream in = Objects.requireNonNull(TlsIT.class.getResourceAsStream("/tls/" + resource))) {
            Path whole = to.resolveSibling(to.getFileName() + ".new");
            Files.write(whole, in.readAllBytes());
            Files.move(whole, to, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private void put(String pair) throws IOException {
        put(pair + ".crt", folder.resolve("weir.crt"));
        put(pair + ".key", folder.resolve("weir.key"));
    }

    /** @param switched so many nodes, node 1 first, speak TLS */
    private static String url(int node, int switched) {
        String plain = CLUSTER.url(node);
        return node <= switched ? plain.replace("http:", "https:") : plain;
    }

    /** A row through each node, twenty series: their partitions are led by all nodes. Then all rows at each node. */
    private void writeAndCountThroughAll(int switched) throws IOException {
        for (int node = 1; node <= 3; node++) {
            StringBuilder rows = new StringBuilder();
            for (int series = 0; series < 20; series++) {
                rows.append("tls,s=s")
                        .append(series)
                        .append(" n=")
                        .append(written)
                        .append("i ");
                rows.append(1767225600000000000L + written++).append('\n');
            }
            String answer =
                    curl(url(node, switched) + "/api/v2/write", "--data-binary", rows.toString(), "-w", "%{http_code}");
            assertThat(answer)
                    .as("a write through node %d, %d speak TLS", node, switched)
                    .isEqualTo("204");
        }
        for (int node = 1; node <= 3; node++) {
            String answer = sql(node, switched, "SELECT count(*) AS n FROM tls");
            assertThat(answer.strip())
                    .as("node %d, %d speak TLS", node, switched)
                    .isEqualTo("n\r\n" + written);
        }
    }

    /** One node at least passes the statement on to another, which has the files, whatever either speaks: where none can, each answers itself. */
    private void statementsArePassedOn(int switched) {
        sql(1, switched, "FLUSH TABLE tls");
        await().atMost(PATIENCE).untilAsserted(() -> {
            Set<String> servedBy = new TreeSet<>();
            for (int node = 1; node <= 3; node++) {
                String answer =
                        sql(node, switched, "SELECT count(*) AS n FROM tls", "-w", "served by %header{weir-served-by}");
                assertThat(answer).startsWith("n\r\n" + written + "\r\n");
                servedBy.add(answer.substring(answer.indexOf("served by")));
            }
            assertThat(servedBy).hasSizeLessThan(3).doesNotContain("served by ");
        });
    }

    private String sql(int node, int switched, String statement, String... more) {
        List<String> words = new ArrayList<>(List.of("-H", "Content-Type: text/plain", "-H", "Accept: text/csv"));
        words.addAll(List.of("--data-binary", statement));
        words.addAll(List.of(more));
        return curl(url(node, switched) + "/api/v1/sql", words.toArray(String[]::new));
    }

    private List<String> curlWords(String url, String... more) {
        List<String> words = new ArrayList<>(List.of("curl", "-sS", "--max-time", "60", "--cacert"));
        words.add(folder.resolve("ca.crt").toString());
        words.addAll(List.of(more));
        words.add(url);
        return words;
    }

    private String curl(String url, String... more) {
        return CLUSTER.run(curlWords(url, more)).orFail().out();
    }

    private void commandsWork() throws IOException {
        String authorities = folder.resolve("ca.crt").toString();
        assertThat(CLUSTER.weir("status", "--cacert", authorities).orFail().out())
                .contains("node3");
        assertThat(CLUSTER.weir("query", "SELECT count(*) FROM tls", "--cacert", authorities)
                        .orFail()
                        .out())
                .contains(String.valueOf(written));
        assertThat(CLUSTER.weir("cdc", "tail", "--from", "earliest", "--max", "1", "--cacert", authorities)
                        .orFail()
                        .out())
                .contains("tls");
        LocalCluster.Run distrusted = CLUSTER.weir("cdc", "tail", "--max", "1");
        assertThat(distrusted.exitCode()).isEqualTo(3);
        assertThat(distrusted.out()).hasLineCount(1).contains("by --cacert FILE");
        for (String version : List.of("1.1", "2")) {
            assertThat(curl(
                            url(1, 3) + "/ping",
                            "--http" + version,
                            "-o",
                            "/dev/null",
                            "-w",
                            "%{http_code} %{http_version}"))
                    .isEqualTo("204 " + version);
        }
    }

    private void aStreamGoesOnWhileTheCertificateIsRenewed() throws Exception {
        Path events = folder.resolve("events");
        Process stream = new ProcessBuilder(
                        curlWords(url(2, 3) + "/api/v1/cdc/stream?measurement=renewed", "-N", "--http2"))
                .redirectErrorStream(true)
                .redirectOutput(events.toFile())
                .start();
        try {
            awaitText(events, ":");
            curl(url(1, 3) + "/api/v2/write", "--data-binary", "renewed v=1i 1767225600000000001");
            awaitText(events, "\"v\":1");
            put("second");
            await().atMost(PATIENCE)
                    .until(() -> curl(url(2, 3) + "/metrics").contains("weir_http_tls_renewals_total 1.0"));
            assertThat(curl(url(2, 3) + "/ping", "-v")).contains("second.weir.test");
            curl(url(1, 3) + "/api/v2/write", "--data-binary", "renewed v=2i 1767225600000000002");
            awaitText(events, "\"v\":2");
            assertThat(stream.isAlive()).isTrue();
        } finally {
            stream.destroy();
            stream.waitFor(20, TimeUnit.SECONDS);
        }
        for (int node = 1; node <= 3; node++) {
            assertThat(curl(url(node, 3) + "/metrics")).contains("weir_http_tls_peer_failures_total 0.0");
        }
    }

    private static void awaitText(Path file, String text) {
        await().atMost(PATIENCE)
                .until(() -> Files.exists(file)
                        && Files.readString(file, StandardCharsets.UTF_8).contains(text));
    }
}
