package dev.weir.query.sql;

import static dev.weir.query.sql.TestRows.field;
import static dev.weir.query.sql.TestRows.tag;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.model.TableSchema;
import dev.weir.query.sql.image.FileImage;
import dev.weir.query.sql.image.TableImage;
import dev.weir.query.sql.image.TablePart;
import dev.weir.query.sql.image.TimeRange;
import dev.weir.query.sql.run.SqlConfig;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.StreamResetException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.TimeStampNanoVector;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Large answers, slow takers, limits, and ends that are no good ends. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StreamingTest {
    private static final TableSchema TICKS =
            TestRows.schema("default", "ticks", tag(1, "host"), field(2, "v", FieldType.INT64));
    private static final String ARROW = "application/vnd.apache.arrow.stream";
    private static final String FAILS_LATE =
            "SELECT CASE WHEN range = 1000000 THEN CAST('bad' || range AS INTEGER) ELSE range END AS r,"
                    + " repeat('text', 20) || range AS t FROM range(2000000)";

    private final SqlServer server =
            new SqlServer(new SqlConfig(2, 1, 64 << 20, 0, 3_000_000, Duration.ofSeconds(3), 2, 1, 1 << 20, 256 << 10));

    @BeforeAll
    void store() throws Exception {
        server.tables.put(new TableImage(
                TICKS,
                List.of(new TablePart(
                        0,
                        List.of(new TestRows(TICKS, 1)
                                .row(1_700_000_000_000_000_001L, "host", "a", "v", 1L)
                                .file(server.file("ticks.parquet"))),
                        List.of(new TestRows(TICKS, 2)
                                .row(1_700_000_000_000_000_002L, "host", "b", "v", 2L)
                                .buffer()),
                        List.of()))));
    }

    @AfterAll
    void stop() throws Exception {
        server.close();
    }

    private HttpRequest request(String statement, String accept) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/api/v1/sql"))
                .header("Accept", accept)
                .header("Content-Type", "text/plain")
                .POST(HttpRequest.BodyPublishers.ofString(statement))
                .build();
    }

    @Test
    void givesArrowThatEndsWithItsMark() throws Exception {
        HttpResponse<byte[]> answer = server.client.send(
                request("SELECT time, host, v FROM ticks ORDER BY time", ARROW),
                HttpResponse.BodyHandlers.ofByteArray());
        assertThat(answer.headers().firstValue("Content-Type")).contains(ARROW);
        try (RootAllocator allocator = new RootAllocator();
                ArrowStreamReader reader = new ArrowStreamReader(new ByteArrayInputStream(answer.body()), allocator)) {
            assertThat(reader.getVectorSchemaRoot().getSchema().toString())
                    .isEqualTo("Schema<time: Timestamp(NANOSECOND, null), host: Utf8, v: Int(64, true)>");
            List<Long> times = new ArrayList<>();
            while (reader.loadNextBatch()) {
                TimeStampNanoVector time =
                        (TimeStampNanoVector) reader.getVectorSchemaRoot().getVector("time");
                for (int i = 0; i < reader.getVectorSchemaRoot().getRowCount(); i++) {
                    times.add(time.get(i));
                }
            }
            assertThat(times).containsExactly(1_700_000_000_000_000_001L, 1_700_000_000_000_000_002L);
        }
        int length = answer.body().length;
        assertThat(java.util.Arrays.copyOfRange(answer.body(), length - 8, length))
                .containsExactly(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0);
    }

    @Test
    void neverEndsACutAnswerAsIfItWereWhole() throws Exception {
        for (String accept : List.of("application/json", "application/x-ndjson", "text/csv", ARROW)) {
            assertThatThrownBy(() ->
                            server.client.send(request(FAILS_LATE, accept), HttpResponse.BodyHandlers.ofByteArray()))
                    .as(accept)
                    .isInstanceOf(IOException.class);
        }
        byte[] raw = raw("POST /api/v1/sql HTTP/1.1\r\nHost: x\r\nAccept: " + ARROW + "\r\nContent-Length: "
                + FAILS_LATE.length() + "\r\n\r\n" + FAILS_LATE);
        String end =
                new String(raw, Math.max(0, raw.length - 16), Math.min(16, raw.length), StandardCharsets.ISO_8859_1);
        assertThat(raw.length).isGreaterThan(64 << 10);
        assertThat(end).doesNotContain("\r\n0\r\n");
        assertThat(end).doesNotContain("\u00ff\u00ff\u00ff\u00ff\0\0\0\0");
    }

    /** A reset without the code of an error is, over HTTP/2, the end of a whole answer. */
    @Test
    void aCutIsAnErrorOverHttp2() throws Exception {
        Vertx vertx = Vertx.vertx();
        HttpClient client = vertx.createHttpClient(
                new HttpClientOptions().setProtocolVersion(HttpVersion.HTTP_2).setHttp2ClearTextUpgrade(false));
        try {
            assertThatThrownBy(() -> client.request(
                                    HttpMethod.POST, SqlServer.shared().port(), "127.0.0.1", "/api/v1/sql")
                            .compose(request -> request.putHeader("Content-Type", "text/plain")
                                    .putHeader("Accept", "text/csv")
                                    .send(FAILS_LATE))
                            .compose(HttpClientResponse::body)
                            .toCompletionStage()
                            .toCompletableFuture()
                            .get(60, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOfSatisfying(
                            StreamResetException.class,
                            reset -> assertThat(reset.getCode()).isEqualTo(2));
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
        }
    }

    private byte[] raw(String request) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            java.io.ByteArrayOutputStream all = new java.io.ByteArrayOutputStream();
            try {
                socket.getInputStream().transferTo(all);
            } catch (java.net.SocketException reset) {
                // A reset is one way to be cut off.
            }
            return all.toByteArray();
        }
    }

    @Test
    void stopsAtItsTimeAndNamesTheLimit() throws Exception {
        long begin = System.nanoTime();
        JsonNode refusal = server.refusal(400, "SELECT sum(a.range * b.range) FROM range(1000000) a, range(1000000) b");
        assertThat(refusal.get("error").asText()).contains("sql.timeout");
        assertThat(refusal.get("code").asText()).isEqualTo("limit_query");
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(8));
    }

    @Test
    void namesTheLimitsOfMemoryAndRows() throws Exception {
        JsonNode memory = server.refusal(
                400, "SELECT count(*) FROM (SELECT DISTINCT range || 'some longer text' FROM range(5000000))");
        assertThat(memory.get("error").asText()).contains("sql.memory-bytes");
        HttpResponse<String> few = server.post("SELECT * FROM range(3000001) LIMIT 10");
        assertThat(few.statusCode()).isEqualTo(200);
        assertThatThrownBy(() -> server.post("SELECT * FROM range(3000001)")).isInstanceOf(IOException.class);
    }

    @Test
    void stopsWhenTheClientLeaves() throws Exception {
        String slow = "SELECT sum(a.range * b.range) FROM range(1000000) a, range(1000000) b WHERE 'leaves' = 'leaves'";
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.getOutputStream()
                    .write(("POST /api/v1/sql HTTP/1.1\r\nHost: x\r\nContent-Length: " + slow.length() + "\r\n\r\n"
                                    + slow)
                            .getBytes(StandardCharsets.ISO_8859_1));
            await().atMost(Duration.ofSeconds(2)).until(() -> isRunning("leaves"));
        }
        await().atMost(Duration.ofSeconds(1)).until(() -> !isRunning("leaves"));
    }

    @Test
    void killsAndShowsWhatRuns() throws Exception {
        String slow = "SELECT sum(a.range * b.range) FROM range(1000000) a, range(1000000) b WHERE 'killed' = 'killed'";
        CompletableFuture<HttpResponse<String>> answer =
                server.client.sendAsync(request(slow, "*/*"), HttpResponse.BodyHandlers.ofString());
        await().atMost(Duration.ofSeconds(2)).until(() -> isRunning("killed"));
        JsonNode shown = server.rows("SHOW QUERIES").get(0);
        assertThat(shown.get(1).asText()).isEqualTo("n1");
        assertThat(shown.get(2).asText()).isEqualTo("token-1");
        assertThat(shown.get(6).asText()).isEqualTo(slow);
        assertThat(server.rows("SHOW QUERIES", "Tenant", "other").size()).isZero();
        server.refusal(404, "KILL QUERY '" + shown.get(0).asText() + "'", "Tenant", "other");
        assertThat(server.rows("KILL QUERY " + shown.get(0).asText()).get(0).get(0))
                .isEqualTo(shown.get(0));
        assertThat(answer.get().statusCode()).isEqualTo(409);
        assertThat(answer.get().body()).contains("killed");
    }

    private boolean isRunning(String mark) {
        return server.engine.queries().of("default").stream()
                .anyMatch(query -> query.isRunning() && query.text().contains("'" + mark + "'"));
    }

    @Test
    void letsFewWaitAndRefusesMore() throws Exception {
        String slow = "SELECT sum(a.range * b.range) FROM range(1000000) a, range(1000000) b WHERE 'queued' = 'queued'";
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            answers.add(server.client.sendAsync(request(slow, "*/*"), HttpResponse.BodyHandlers.ofString()));
        }
        await().atMost(Duration.ofSeconds(2))
                .until(() -> server.engine.queries().of("default").size() == 3);
        HttpResponse<String> refused = server.post("SELECT 1");
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.body()).contains("sql.tenant-queue-max");
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        server.engine
                .queries()
                .of("default")
                .forEach(query -> server.engine.queries().kill("default", query.id()));
        for (CompletableFuture<HttpResponse<String>> answer : answers) {
            assertThat(answer.get().statusCode()).isEqualTo(409);
        }
    }

    @Test
    void holdsLittleForASlowTaker() throws Exception {
        String large =
                "SELECT range, 'some text to make the row longer ' || range AS t FROM range(2900000) WHERE 'slow' ="
                        + " 'slow'";
        HttpResponse<InputStream> answer =
                server.client.send(request(large, "application/x-ndjson"), HttpResponse.BodyHandlers.ofInputStream());
        long used = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
        try (InputStream body = answer.body()) {
            body.readNBytes(1000);
            await().atMost(Duration.ofSeconds(2)).until(() -> isRunning("slow"));
            long before = rowsOf("slow");
            await().during(Duration.ofMillis(300)).atMost(Duration.ofSeconds(3)).until(() -> true);
            assertThat(rowsOf("slow"))
                    .as("rows while nobody reads; were " + before)
                    .isLessThan(1_500_000);
            assertThat(Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory() - used)
                    .isLessThan(200L << 20);
        } catch (IOException cut) {
            // The time limit may come first: what was sent is cut.
        }
        await().atMost(Duration.ofSeconds(5)).until(() -> !isRunning("slow"));
    }

    private long rowsOf(String mark) {
        return server.engine.queries().of("default").stream()
                .filter(query -> query.text().contains("'" + mark + "'"))
                .mapToLong(query -> query.rows())
                .sum();
    }

    /** The engine's allocator fails its close, after all tests, where anything was kept. */
    @Test
    void givesBackBuffersThatNobodyRead() throws Exception {
        assertThat(server.rows("SELECT v FROM ticks WHERE false").size()).isZero();
        assertThat(server.rows("SELECT v FROM ticks LIMIT 0").size()).isZero();
        assertThat(server.rows("SELECT 1 FROM ticks WHERE time > now()").size()).isZero();
        server.refusal(400, "SELECT nope FROM ticks");
        server.rows("EXPLAIN SELECT v FROM ticks");
    }

    @Test
    void asksForImagesOnceMoreWhereAFileIsGone() throws Exception {
        FileImage gone = new FileImage(
                server.file("gone.parquet"), new TimeRange(0, Long.MAX_VALUE), 1, 1, false, false, Map.of());
        TableImage broken = new TableImage(TICKS, List.of(new TablePart(0, List.of(gone), List.of(), List.of())));
        TableImage good = server.tables.images.get("default/ticks");
        server.tables.instead = (request, cancel) -> {
            server.tables.images.put("default/ticks", broken);
            var set = server.tables.set(request);
            server.tables.images.put("default/ticks", good);
            return CompletableFuture.completedFuture(set);
        };
        assertThat(server.rows("SELECT count(*) FROM ticks").toString()).isEqualTo("[[2]]");
        await().atMost(Duration.ofSeconds(5)).until(() -> server.tables.open.get() == 0);
    }

    @Test
    void givesWhatThePartitionsSayWhereTheyCannotAnswer() throws Exception {
        server.tables.instead = (request, cancel) -> CompletableFuture.failedFuture(
                new RefusedException(Refusal.of(ErrorCode.NO_LEADER, "partition 3: no leader answered")));
        JsonNode refusal = server.refusal(503, "SELECT count(*) FROM ticks");
        assertThat(refusal.get("error").asText()).isEqualTo("partition 3: no leader answered");
        assertThat(refusal.get("code").asText()).isEqualTo("no_leader");
    }
}
