package dev.weir.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.cdc.consumer.Deduplicator;
import dev.weir.cdc.consumer.SseFrame;
import dev.weir.cdc.consumer.StreamOptions;
import dev.weir.cdc.consumer.WeirStream;
import dev.weir.wal.FreePorts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightStatusCode;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients that were not written here, all at node 2, with tokens: Influx's own and Arrow's from npm, Arrow Flight's in Java, collectd, and the requests that Telegraf's two outputs send (OP-02);
 * a client that never gets its answer (OP-03), and a page in a browser (SE-02).
 */
final class ClientsIT {
    private static final int NODE = 2;
    private static final int PAGE_PORT = FreePorts.next();

    @RegisterExtension
    static final LocalCluster CLUSTER =
            LocalCluster.withTokens(3, "-c", "http.cors.origins=http://127.0.0.1:" + PAGE_PORT);

    private static String token = "";

    private static final int RESENT = 50;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String INFLUX_CLIENT = "@influxdata/influxdb-client@1.35.0";
    private static final String ARROW_CLIENT = "apache-arrow@21.2.0 fzstd@0.1.1";
    private static final String LINES = "cpu,cpu=cpu0,host=web1 usage_user=2.5,usage_idle=97i 1767225600000000000\n"
            + "disk,host=web1,path=C:\\\\ free=18446744073709551615u 1767225600000000000\n";

    @BeforeAll
    static void makeToken() {
        token = CLUSTER.newToken("write,read,cdc");
    }

    @Test
    void influxClientFromNpmWrites() throws IOException {
        Path folder = Files.createDirectories(Path.of("target/npm").toAbsolutePath());
        LocalCluster.Run installed = CLUSTER.run(List.of(
                "sh", "-c", "npm install --silent --no-audit --no-fund --prefix " + folder + " " + INFLUX_CLIENT));
        assumeTrue(
                installed.exitCode() == 0,
                () -> "skipped: npm can't install " + INFLUX_CLIENT + ": " + installed.out());
        Path script = Files.writeString(folder.resolve("write.js"), """
                const {InfluxDB, Point} = require('@influxdata/influxdb-client')
                const api = new InfluxDB({url: process.argv[2], token: process.argv[3]}).getWriteApi('org', 'default', 'ns')
                for (let i = 0; i < 50; i++) {
                  api.writePoint(new Point('npm').tag('h', 'a b,c=' + (i % 5)).intField('n', i).stringField('s', 'x "y" \\\\ z')
                    .booleanField('ok', true).floatField('f', i / 8).timestamp('17672256000000000' + (10 + i)))
                }
                api.close().then(() => console.log('written'), e => { console.error(e); process.exit(1) })
                """);
        LocalCluster.Run run = CLUSTER.run(List.of("node", script.toString(), CLUSTER.url(NODE), token));
        assertThat(run.exitCode()).as(run.out()).isZero();

        JsonNode latest = latest("npm");
        assertThat(latest.required("row_count").intValue()).isEqualTo(5);
        assertThat(latest.required("rows").toString()).contains("\"a b,c=4\"", "x \\\"y\\\" \\\\ z", "49");
    }

    /** Every event as a row, exactly; from the cursor of any batch another node goes on; plain and compressed are the same. */
    @Test
    void arrowFromNpmReadsTheStream() throws IOException {
        Path folder = Files.createDirectories(Path.of("target/npm-arrow").toAbsolutePath());
        LocalCluster.Run installed = CLUSTER.run(List.of(
                "sh", "-c", "npm install --silent --no-audit --no-fund --prefix " + folder + " " + ARROW_CLIENT));
        assumeTrue(
                installed.exitCode() == 0, () -> "skipped: npm can't install " + ARROW_CLIENT + ": " + installed.out());
        Path script = Files.writeString(folder.resolve("read.js"), resource("/arrow/read.js"));
        String lines = IntStream.range(0, 500)
                .mapToObj(i -> "arrow,h=h" + i % 7 + " u=" + (i == 0 ? "18446744073709551615" : i) + "u,f=" + i
                        + ".25,s=\"ü \\\"" + i + "\" " + (1767225600000000000L + i))
                .collect(Collectors.joining("\n"));
        assertThat(CLUSTER.send(write(CLUSTER.url(1), "", lines)).statusCode()).isEqualTo(204);

        String query = "/api/v1/cdc/stream?measurement=arrow&event_type=point_written&max_rows=20";
        List<String> plain = arrow(script, CLUSTER.url(2) + query + "&from=earliest", 500);
        assertThat(plain.getFirst())
                .isEqualTo("schema seq:Uint64 event_type:Utf8 measurement:Utf8 event_timestamp:Int64 tags_json:Utf8"
                        + " fields_json:Utf8 series_hash:Uint64 partition:Uint32 operation:Utf8 schema_version:Uint32"
                        + " committed_at:Int64 detail_json:Utf8");
        assertThat(rowsOf(plain)).hasSize(500).doesNotHaveDuplicates();
        assertThat(String.join("\n", plain))
                .contains("\\\"u\\\":18446744073709551615", "\\\"f\\\":499.25", "\\\"s\\\":\\\"ü \\\\\\\"7\\\"");

        List<String> first = arrow(script, CLUSTER.url(3) + query + "&compression=zstd&from=earliest", 100);
        String cursor = first.getLast().substring("cursor ".length());
        int rest = 500 - rowsOf(first).size();
        List<String> second = arrow(script, CLUSTER.url(1) + query + "&compression=zstd&from=" + cursor, rest);
        List<String> both = new ArrayList<>(rowsOf(first));
        both.addAll(rowsOf(second));
        assertThat(both).containsExactlyInAnyOrderElementsOf(rowsOf(plain));

        Path typed = Files.writeString(folder.resolve("typed.js"), resource("/arrow/typed.js"));
        assertThat(rowsOf(arrow(typed, CLUSTER.url(3) + query + "&layout=typed&from=earliest", 500)))
                .as("the dictionary of each batch goes with its rows (PQ-07)")
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 500)
                        .mapToObj(i -> "row h" + i % 7 + " " + i + ".25")
                        .toList());
    }

    private static List<String> arrow(Path script, String url, int rows) {
        LocalCluster.Run run = CLUSTER.run(List.of("node", script.toString(), url, token, Integer.toString(rows)));
        assertThat(run.exitCode()).as(run.out()).isZero();
        return run.out().lines().toList();
    }

    private static List<String> rowsOf(List<String> lines) {
        return lines.stream().filter(line -> line.startsWith("row ")).toList();
    }

    /** Arrow's own Flight client: its node is killed, another goes on from the last cursor, and every row has come once. */
    @Test
    void flightGoesOnWhereItsNodeWasKilled() throws Exception {
        assertThat(CLUSTER.send(write(CLUSTER.url(1), "", flights(0, 300))).statusCode())
                .isEqualTo(204);
        FlightFollower follower = new FlightFollower("flights", token);
        try {
            FlightRuntimeException end = follower.readToItsEnd(CLUSTER.url(3), 100, () -> CLUSTER.kill(3));
            assertThat(end.status().code()).isEqualTo(FlightStatusCode.UNAVAILABLE);
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(CLUSTER.send(write(CLUSTER.url(1), "flights-2", flights(300, 500)))
                                    .statusCode())
                            .isEqualTo(204));
            follower.readTo(CLUSTER.url(1), 500);
            assertThat(follower.places()).hasSize(500);
        } finally {
            CLUSTER.restart(3);
        }
        FlightFollower stranger = new FlightFollower("flights", "not-a-token");
        assertThatThrownBy(() -> stranger.readTo(CLUSTER.url(3), 1))
                .isInstanceOf(FlightRuntimeException.class)
                .hasMessageContaining("unauthenticated: expected a token");
    }

    private static String flights(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> "flights,h=h" + i % 7 + " n=" + i + "i " + (1767225600000000000L + i))
                .collect(Collectors.joining("\n"));
    }

    /**
     * A page of another origin, with a ticket, through HAProxy: loses the node that it reads at, goes on by itself without a hole, then by a new EventSource with
     * {@code last_event_id} (CD-05, SE-02). What it tells is in the order of what it saw.
     */
    @Test
    void pageFollowsThroughTheDeathOfItsNode() throws IOException, InterruptedException {
        try (Browser browser = Browser.serving(PAGE_PORT, resource("/browser/follow.html"))) {
            Proxy proxy = Proxy.haproxy(CLUSTER.urls()).orElse(null);
            assumeTrue(proxy != null, "skipped: haproxy is not here");
            try (proxy) {
                assumeTrue(
                        browser.open("url=" + proxy.url() + "&token=" + token + "&renew=35"),
                        "skipped: chromium is not here");
                assertThat(browser.next(Duration.ofSeconds(60))).isEqualTo("{\"event\":\"open\"}");
                List<Integer> seen = new ArrayList<>();
                write(0, 20);
                follow(browser, seen, 20);
                int lost = nodeThatServesAStream();
                CLUSTER.kill(lost);
                try {
                    write(20, 40);
                    follow(browser, seen, 40);
                    write(40, 50);
                    follow(browser, seen, 50);
                } finally {
                    CLUSTER.restart(lost);
                }
                assertThat(seen).isEqualTo(IntStream.range(0, 50).boxed().toList());
            }
        }
    }

    /** One series, one row a request: an order that the page must see. */
    private static void write(int from, int to) throws IOException {
        for (int n = from; n < to; n++) {
            String line = "browser,h=a n=" + n + "i " + (1767225600000000000L + n);
            await().atMost(Duration.ofSeconds(60)).until(() -> {
                for (String node : CLUSTER.urls()) {
                    try {
                        if (CLUSTER.send(write(node, "", line)).statusCode() == 204) {
                            return true;
                        }
                    } catch (IOException dead) {
                        continue;
                    }
                }
                return false;
            });
        }
    }

    /** A row that comes twice after a reconnection is what at-least-once allows, one that is missing is not. */
    private static void follow(Browser browser, List<Integer> seen, int until)
            throws IOException, InterruptedException {
        while (seen.size() < until) {
            JsonNode told = JSON.readTree(browser.next(Duration.ofSeconds(60)));
            assertThat(told.path("event").asText()).as(told.toString()).isNotEqualTo("fault");
            assertThat(told.path("state").asInt())
                    .as("EventSource gave up: " + told)
                    .isNotEqualTo(2);
            if (told.path("event").asText().equals("change")
                    && !seen.contains(told.path("n").asInt())) {
                seen.add(told.path("n").asInt());
            }
        }
    }

    /** Streams of other tests may still be ending. */
    private static int nodeThatServesAStream() {
        return await().atMost(Duration.ofSeconds(30))
                .until(
                        () -> IntStream.rangeClosed(1, CLUSTER.size())
                                .filter(ClientsIT::servesAStream)
                                .boxed()
                                .toList(),
                        nodes -> nodes.size() == 1)
                .getFirst();
    }

    private static boolean servesAStream(int node) {
        try {
            return CLUSTER.send(HttpRequest.newBuilder(URI.create(CLUSTER.url(node) + "/metrics"))
                            .header("Authorization", "Bearer " + LocalCluster.ADMIN_TOKEN))
                    .body()
                    .lines()
                    .anyMatch(line -> line.startsWith("weir_cdc_subscribers ") && !line.endsWith(" 0.0"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** outputs.influxdb: CREATE DATABASE first, then gzip bodies to /write; user and password as Basic. */
    @Test
    void telegrafsFirstOutputIsServed() throws IOException {
        String basic =
                "Basic " + Base64.getEncoder().encodeToString(("telegraf:" + token).getBytes(StandardCharsets.UTF_8));
        HttpResponse<String> created = CLUSTER.send(
                telegraf("/query?q=CREATE+DATABASE+%22telegraf%22", basic).POST(BodyPublishers.noBody()));
        assertThat(created.statusCode()).as(created.body()).isEqualTo(200);
        HttpResponse<String> written =
                CLUSTER.send(telegraf("/write?consistency=any&db=default&precision=ns&rp=", basic)
                        .header("Content-Type", "text/plain; charset=utf-8")
                        .header("Content-Encoding", "gzip")
                        .POST(BodyPublishers.ofByteArray(gzip(LINES))));
        assertThat(written.statusCode()).as(written.body()).isEqualTo(204);
        assertThat(CLUSTER.get(NODE, "/ping").statusCode()).isEqualTo(204);
    }

    /** outputs.influxdb_v2: gzip bodies to /api/v2/write with a token; other clients send it as Bearer. */
    @ParameterizedTest
    @ValueSource(strings = {"Token ", "Bearer "})
    void telegrafsSecondOutputIsServed(String scheme) throws IOException {
        HttpResponse<String> written =
                CLUSTER.send(telegraf("/api/v2/write?bucket=default&org=acme&precision=ns", scheme + token)
                        .header("Content-Type", "text/plain; charset=utf-8")
                        .header("Content-Encoding", "gzip")
                        .POST(BodyPublishers.ofByteArray(gzip(LINES))));
        assertThat(written.statusCode()).as(written.body()).isEqualTo(204);
        assertThat(latest("disk").toString()).contains("18446744073709551615", "C:\\\\");
    }

    @Test
    void foreignTokenIsRefused() throws IOException {
        HttpResponse<String> written =
                CLUSTER.send(telegraf("/write?db=default", "Token not-a-token").POST(BodyPublishers.ofString(LINES)));
        assertThat(written.statusCode()).isEqualTo(401);
    }

    /** A stream is open as long as its token: it ends in order, and no node opens it again. */
    @Test
    void revokedTokenEndsItsStreams() throws Exception {
        JsonNode made = JSON.readTree(CLUSTER.send(admin("/api/v1/admin/tokens")
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString("{\"tenant\":\"default\",\"scopes\":[\"cdc\"]}")))
                .body());
        HttpRequest.Builder asked = HttpRequest.newBuilder(URI.create(CLUSTER.url(NODE) + "/api/v1/cdc/stream"))
                .header("Authorization", "Bearer " + made.required("token").textValue());
        HttpClient client = HttpClient.newHttpClient();
        try {
            CompletableFuture<Void> opened = new CompletableFuture<>();
            CompletableFuture<HttpResponse<String>> whole = client.sendAsync(asked.build(), head -> {
                opened.complete(null);
                return BodySubscribers.ofString(StandardCharsets.UTF_8);
            });
            opened.get(30, TimeUnit.SECONDS);

            assertThat(CLUSTER.send(admin("/api/v1/admin/tokens/"
                                            + made.required("id").asText())
                                    .DELETE())
                            .statusCode())
                    .isEqualTo(204);

            assertThat(whole.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
            assertThat(client.send(asked.build(), BodyHandlers.ofInputStream()).statusCode())
                    .isEqualTo(401);
        } finally {
            client.shutdownNow();
        }
    }

    private static HttpRequest.Builder admin(String path) {
        return HttpRequest.newBuilder(URI.create(CLUSTER.url(NODE) + path))
                .header("Authorization", "Bearer " + LocalCluster.ADMIN_TOKEN);
    }

    private static HttpRequest.Builder telegraf(String path, String authorization) {
        return HttpRequest.newBuilder(URI.create(CLUSTER.url(NODE) + path))
                .header("User-Agent", "Telegraf/1.30.0")
                .header("Authorization", authorization);
    }

    /** Debian's collectd with a writer for its Python plugin; what it measured of the memory adds up to what the kernel says. */
    @Test
    void collectdWrites() throws IOException {
        Path folder = Files.createDirectories(Path.of("target/collectd").toAbsolutePath());
        assumeTrue(
                CLUSTER.run(List.of("sh", "-c", "PATH=$PATH:/usr/sbin; command -v collectd && python3 -c ''"))
                                .exitCode()
                        == 0,
                "skipped: collectd or its Python is missing");
        Files.writeString(folder.resolve("weir_writer.py"), resource("/collectd/weir_writer.py"));
        Path config = Files.writeString(
                folder.resolve("collectd.conf"),
                resource("/collectd/collectd.conf")
                        .replace("@FOLDER@", folder.toString())
                        .replace("@URL@", CLUSTER.url(NODE))
                        .replace("@TOKEN@", token));
        Process collectd = new ProcessBuilder("sh", "-c", "PATH=$PATH:/usr/sbin; exec collectd -f -C " + config)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        try {
            double total = 1024 * memoryTotalKib();
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(sumOf(latest("memory"), "value"))
                            .as("the memory's parts; collectd said %s", Files.readString(folder.resolve("log")))
                            .isEqualTo(total));
            assertThat(latest("load").path("row_count").intValue()).isEqualTo(1);
            assertThat(latest("load").path("columns").toString()).contains("shortterm", "midterm", "longterm");
        } finally {
            collectd.destroyForcibly().onExit().join();
        }
    }

    private static double memoryTotalKib() throws IOException {
        return Files.readAllLines(Path.of("/proc/meminfo")).stream()
                .filter(line -> line.startsWith("MemTotal:"))
                .mapToDouble(line -> Double.parseDouble(line.split("\\s+")[1]))
                .findFirst()
                .orElseThrow();
    }

    private static double sumOf(JsonNode latest, String column) {
        double sum = 0;
        for (int i = 0; i < latest.path("columns").size(); i++) {
            if (latest.path("columns").path(i).path("name").asText().equals(column)) {
                for (JsonNode row : latest.path("rows")) {
                    sum += row.path(i).doubleValue();
                }
            }
        }
        return sum;
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = ClientsIT.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** The rows are there once, and the stream tells each once, since the body had a key. */
    @Test
    void bodySentAgainThroughAnotherNodeIsStoredOnce() throws IOException, InterruptedException {
        sendTwice("keyed", "batch-1");
        assertThat(latest("keyed").path("row_count").intValue()).isEqualTo(RESENT);
        assertThat(operations("keyed", RESENT)).containsExactlyEntriesOf(Map.of("insert", RESENT));
    }

    /** CD-16: in one body, and so in one commit, each has a seq of its own. */
    @Test
    void onePointTwiceInABodyIsTwoChanges() throws IOException, InterruptedException {
        assertThat(CLUSTER.send(write(CLUSTER.url(3), "", "twice,h=a v=1i 1\ntwice,h=a v=2i 1"))
                        .statusCode())
                .isEqualTo(204);
        assertThat(operations("twice", 2)).containsExactlyInAnyOrderEntriesOf(Map.of("insert", 1, "update", 1));
    }

    /** The rows are there once; the stream tells of the second coming as updates of the same points. */
    @Test
    void bodySentAgainWithoutAKeyUpdatesItsRows() throws IOException, InterruptedException {
        sendTwice("unkeyed", "");
        assertThat(latest("unkeyed").path("row_count").intValue()).isEqualTo(RESENT);
        assertThat(operations("unkeyed", 2 * RESENT))
                .containsExactlyInAnyOrderEntriesOf(Map.of("insert", RESENT, "update", RESENT));
    }

    /** IN-01, JS-02: what is refused is kept, on every node, in buffer and file; once the table is mended it is written again. */
    @Test
    void refusedRowsAreKeptAndWrittenAgain() throws IOException, InterruptedException {
        sql(1, "CREATE TABLE letters (h TAG, v BIGINT) WITH (schema = 'strict')");
        String body = """
                letters,h=a v=1i 1
                letters,h=b v="x" 2
                letters,h=c w=2.5 3
                letters,h=d v= 4
                letters,h=e v=NaN 5
                letters,h=f v=6i 99999999999999999999
                letters,h=g v=7i,time=1i 7
                letters,h=h v=8i 8
                """;
        assertThat(CLUSTER.send(write(CLUSTER.url(1), "", body)).statusCode()).isEqualTo(400);
        assertThat(CLUSTER.send(write(CLUSTER.url(3), "", body)).statusCode()).isEqualTo(400);
        String letters =
                "SELECT node, code, line, text FROM _dead_letters WHERE measurement = 'letters' ORDER BY node, line";
        List<String> codes = List.of(
                "type_conflict", "strict_schema", "syntax", "not_a_number", "time_out_of_range", "reserved_name");
        List<String> lines = body.lines().toList();
        List<String> expected = Stream.of("node1", "node3")
                .flatMap(node -> IntStream.range(0, codes.size())
                        .mapToObj(i -> "[\"%s\",\"%s\",%d,%s]"
                                .formatted(node, codes.get(i), i + 2, JSON.valueToTree(lines.get(i + 1)))))
                .toList();
        for (int node = 1; node <= CLUSTER.size(); node++) {
            assertThat(rows(sql(node, letters))).as("node %d", node).isEqualTo(expected);
        }
        // Leaders may still move, soon after the start.
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> sql(2, "FLUSH TABLE _dead_letters"));
        for (int node = 1; node <= CLUSTER.size(); node++) {
            assertThat(rows(sql(node, letters))).as("flushed, node %d", node).isEqualTo(expected);
        }
        assertThat(operations("_dead_letters", expected.size()).get("insert")).isGreaterThanOrEqualTo(expected.size());

        assertThat(weir("replay", "--table", "letters", "--dry-run").orFail().out())
                .contains("12 letters");
        sql(2, "ALTER TABLE letters ADD COLUMN w DOUBLE");
        LocalCluster.Run replay = weir("replay", "--table", "letters", "-o", "json");
        assertThat(replay.exitCode()).isEqualTo(1);
        assertThat(JSON.readTree(replay.out()).path("replayed").intValue()).isEqualTo(2);
        assertThat(JSON.readTree(replay.out()).path("left").intValue()).isEqualTo(10);
        assertThat(rows(sql(3, "SELECT h, v, w FROM letters ORDER BY time")))
                .containsExactly("[\"a\",1,null]", "[\"c\",null,2.5]", "[\"h\",8,null]");
        List<String> left =
                expected.stream().filter(row -> !row.contains("strict_schema")).toList();
        assertThat(rows(sql(1, letters))).isEqualTo(left);

        assertThat(weir("list", "--table", "letters", "--code", "syntax")
                        .orFail()
                        .out())
                .contains("letters,h=d v= 4");
        assertThat(weir("purge", "--table", "letters").exitCode()).isEqualTo(1);
        assertThat(rows(sql(1, letters))).isEqualTo(left);
        assertThat(weir("purge", "--table", "letters", "--yes").orFail().out()).contains("10 letters deleted");
        assertThat(rows(sql(2, letters))).isEmpty();
    }

    /** Rows that were stored leave the table, out of files and buffer, and come back as they were. */
    @Test
    void rowsAreSetAsideAndComeBack() throws IOException, InterruptedException {
        CLUSTER.send(write(CLUSTER.url(1), "", "aside,h=a v=1i,s=\"x \\\"y\" 1\naside,h=b v=2i 2\naside,h=a v=3i 3"));
        // Leaders may still move, soon after the start.
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> sql(2, "FLUSH TABLE aside"));
        CLUSTER.send(write(CLUSTER.url(2), "", "aside,h=a v=4i 4\naside,h=a w=0.5 1"));
        String all = "SELECT * FROM aside ORDER BY time";
        List<String> before = rows(sql(3, all));
        assertThat(before).hasSize(4);

        assertThat(weir("quarantine", "aside", "--where", "h = 'a' AND time <= 3")
                        .orFail()
                        .out())
                .contains("2 rows set aside");
        List<String> left = List.of(before.get(1), before.get(3));
        for (int node = 1; node <= CLUSTER.size(); node++) {
            assertThat(rows(sql(node, all))).as("node %d", node).isEqualTo(left);
        }
        sql(1, "FLUSH TABLE aside");
        sql(1, "COMPACT TABLE aside");
        assertThat(rows(sql(2, all))).as("flushed and compacted").isEqualTo(left);

        assertThat(weir("replay", "--code", "quarantined").orFail().out()).contains("2 rows written again");
        assertThat(rows(sql(3, all))).isEqualTo(before);
        assertThat(rows(sql(1, "SELECT text FROM _dead_letters WHERE code = 'quarantined'")))
                .isEmpty();
    }

    /** A stream that does not ask for them carries no dead letters, and says so of no hole. */
    @Test
    void streamWithoutTheirNameCarriesNoLetters() throws IOException, InterruptedException {
        CLUSTER.send(write(CLUSTER.url(1), "", "quiet v=\nquiet v=1i 1\nquiet v=\"x\" 2"));
        CLUSTER.send(write(CLUSTER.url(2), "", "quiet v=2i 2"));
        StreamOptions options =
                StreamOptions.of(URI.create(CLUSTER.url(NODE))).withToken(token).from("earliest");
        Deduplicator once = Deduplicator.filtered();
        int quiet = 0;
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        try (WeirStream stream = WeirStream.open(options)) {
            while (quiet < 2 && System.nanoTime() - end < 0) {
                SseFrame frame = stream.next(Duration.ofSeconds(2));
                if (frame == null || !frame.isChange()) {
                    continue;
                }
                assertThat(once.accept(frame.head())).isEqualTo(Deduplicator.Verdict.FRESH);
                assertThat(frame.data()).doesNotContain("\"measurement\":\"_dead_letters\"");
                JsonNode event = JSON.readTree(frame.data());
                quiet += event.path("measurement").asText().equals("quiet")
                                && event.path("event_type").asText().equals("point_written")
                        ? 1
                        : 0;
            }
        }
        assertThat(quiet).isEqualTo(2);
    }

    private static LocalCluster.Run weir(String... words) {
        List<String> all = new ArrayList<>(List.of("dead-letters"));
        all.addAll(List.of(words));
        all.addAll(List.of("--token", token));
        return CLUSTER.weir(all.toArray(String[]::new));
    }

    private static JsonNode sql(int node, String statement) throws IOException {
        HttpResponse<String> answer = CLUSTER.send(HttpRequest.newBuilder(URI.create(CLUSTER.url(node) + "/api/v1/sql"))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "text/plain")
                .POST(BodyPublishers.ofString(statement)));
        assertThat(answer.statusCode()).as(statement + ": " + answer.body()).isEqualTo(200);
        return JSON.readTree(answer.body());
    }

    private static List<String> rows(JsonNode answer) {
        List<String> rows = new ArrayList<>();
        answer.required("rows").forEach(row -> rows.add(row.toString()));
        return rows;
    }

    private static void sendTwice(String table, String key) throws IOException {
        String body = IntStream.range(0, RESENT)
                .mapToObj(i -> table + ",h=" + i + " v=" + i + "i 1767225600000000000")
                .collect(Collectors.joining("\n"));
        try (AnswerLosingProxy proxy = new AnswerLosingProxy(CLUSTER.url(1))) {
            assertThatThrownBy(() -> CLUSTER.send(write(proxy.url(), key, body)))
                    .isInstanceOf(IOException.class);
            assertThat(proxy.lost()).isNotEmpty().containsOnly(204);
        }
        assertThat(CLUSTER.send(write(CLUSTER.url(3), key, body)).statusCode()).isEqualTo(204);
    }

    private static HttpRequest.Builder write(String url, String key, String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + "/api/v2/write"))
                .header("Authorization", "Bearer " + token)
                .POST(BodyPublishers.ofString(body));
        return key.isEmpty() ? request : request.header("Idempotency-Key", key);
    }

    /** How many events of which operation a table has; listens on for two seconds after those that are expected. */
    private static Map<String, Integer> operations(String table, int expected)
            throws IOException, InterruptedException {
        StreamOptions options = StreamOptions.of(URI.create(CLUSTER.url(NODE)))
                .withToken(token)
                .with("measurement", table)
                .with("event_type", "point_written")
                .from("earliest");
        Map<String, Integer> operations = new TreeMap<>();
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        int count = 0;
        try (WeirStream stream = WeirStream.open(options)) {
            while (System.nanoTime() - end < 0) {
                SseFrame frame = stream.next(Duration.ofSeconds(2));
                if (frame == null && count >= expected) {
                    return operations;
                }
                if (frame != null && frame.isChange()) {
                    count++;
                    operations.merge(
                            JSON.readTree(frame.data()).path("operation").asText(), 1, Integer::sum);
                }
            }
        }
        return operations;
    }

    private static JsonNode latest(String table) throws IOException {
        return JSON.readTree(CLUSTER.send(
                        HttpRequest.newBuilder(URI.create(CLUSTER.url(NODE) + "/api/v1/latest?measurement=" + table))
                                .header("Authorization", "Bearer " + token))
                .body());
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return out.toByteArray();
    }
}
