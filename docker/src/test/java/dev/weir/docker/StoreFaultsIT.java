package dev.weir.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.docker.S3Gate.Moment;
import dev.weir.partition.store.S3Server;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Three nodes with their files in S3, and what can go wrong between them (S3-01, S3-05, S3-06): a leader is killed at each step of flush, compaction and
 * removal, as a proxy before the store sees it; files are merged under queries; the store answers 503. No row is lost or counted twice.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class StoreFaultsIT {
    private static final boolean LONG = "long".equals(System.getProperty("weir.chaos"));
    private static final Duration AWAY = LONG ? Duration.ofMinutes(10) : Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int BUFFER_ROWS = 4_000;
    private static final Path FOLDER = folder();
    private static final S3Gate GATE = new S3Gate(FOLDER);
    private static final ObjectMapper JSON = new ObjectMapper();

    @RegisterExtension
    static final LocalCluster CLUSTER = LocalCluster.of(
            3,
            "--partitions",
            "1",
            "-c",
            "store.url=s3://" + S3Gate.BUCKET,
            "-c",
            "store.s3.endpoint=" + GATE.endpoint(),
            "-c",
            "store.s3.path-style=on",
            "-c",
            "store.s3.access-key=" + S3Server.CREDENTIALS.accessKey(),
            "-c",
            "store.s3.secret-key-file=" + FOLDER.resolve("secret"),
            "-c",
            "store.retry-delay-max=500ms",
            "-c",
            "store.orphan-age=5s",
            "-c",
            "flush.rows=1000",
            "-c",
            "flush.min-interval=0s",
            "-c",
            "buffer.rows=" + BUFFER_ROWS);

    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private static long rows;

    @AfterAll
    static void close() throws IOException {
        GATE.close();
    }

    /** S3-06. */
    @Test
    @Order(1)
    void aLeaderKilledAtAnyStepLosesAndDoublesNothing() throws IOException {
        killAt("FLUSH TABLE m", "PUT", Moment.AFTER_THE_STORE);
        killAt("COMPACT TABLE m", "PUT", Moment.AFTER_THE_STORE);
        if (LONG) {
            killAt("COMPACT TABLE m", "DELETE", Moment.BEFORE_THE_STORE);
            killAt("FLUSH TABLE m", "PUT", Moment.BEFORE_THE_STORE);
            killAt("COMPACT TABLE m", "PUT", Moment.BEFORE_THE_STORE);
            killAt("COMPACT TABLE m", "DELETE", Moment.AFTER_THE_STORE);
        }
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(GATE.dataFiles()).as("files in the store").hasSize(filesNamed()));
    }

    /** S3-05. */
    @Test
    @Order(2)
    void mergingFilesUnderQueriesIsNeverSeen() throws IOException {
        AtomicBoolean done = new AtomicBoolean();
        AtomicLong acknowledged = new AtomicLong(rows);
        List<CompletableFuture<Integer>> readers = new ArrayList<>();
        for (int node = 1; node <= CLUSTER.size(); node++) {
            int asked = node;
            readers.add(CompletableFuture.supplyAsync(() -> countUntil(done, asked, acknowledged), executor));
        }
        long merges = 0;
        for (int round = 0; round < (LONG ? 60 : 6); round++) {
            write(20);
            acknowledged.set(rows);
            done(1 + round % 3, "FLUSH TABLE m");
            merges += done(1 + (round + 1) % 3, "COMPACT TABLE m");
        }
        assertThat(merges).as("merges under the queries").isPositive();
        done.set(true);
        assertThat(readers).allSatisfy(reader -> assertThat(reader.join()).isPositive());
        checkCounts();
    }

    /** S3-01. */
    @Test
    @Order(3)
    void writesGoOnToALimitWhileTheStoreIsAwayAndNoRowIsLost() throws IOException {
        long before = System.nanoTime();
        GATE.slowDown(true);
        int taken = 0;
        HttpResponse<String> last = null;
        while (last == null || last.statusCode() == 204) {
            last = tryWrite(100);
            taken += last.statusCode() == 204 ? 100 : 0;
            assertThat(taken).as("rows taken").isLessThan(3 * BUFFER_ROWS);
        }
        assertThat(last.statusCode()).as(last.body()).isEqualTo(503);
        assertThat(JSON.readTree(last.body()).path("code").asText()).isEqualTo("buffers_full");
        assertThat(taken).as("rows taken").isGreaterThanOrEqualTo(BUFFER_ROWS / 2);
        assertThat(sql(1, "SELECT count(*) FROM m").statusCode()).isIn(200, 503);
        await().atMost(AWAY.plus(PATIENCE))
                .until(() -> System.nanoTime() - before > AWAY.toNanos() && GATE.refused() > 0);
        assertThat(CLUSTER.metric(1, "weir_partition_buffered_rows"))
                .as("rows that wait")
                .isGreaterThanOrEqualTo(taken);

        GATE.slowDown(false);

        await().atMost(PATIENCE).until(() -> tryWrite(10).statusCode() == 204);
        checkCounts();
    }

    /** Writes rows, asks for work on files, and kills the leader when the store is asked for a certain thing; then all is as if nothing was. */
    private void killAt(String statement, String method, Moment moment) throws IOException {
        write(30);
        if (statement.startsWith("COMPACT")) {
            done(1, "FLUSH TABLE m");
            write(30);
            done(1, "FLUSH TABLE m");
        }
        GATE.set(new S3Gate.Trap(method, moment, partition -> {
            try {
                CLUSTER.kill(CLUSTER.leader(1, partition).orElseThrow());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }));
        executor.execute(() -> {
            try {
                sql(1, statement);
            } catch (IOException e) {
                // The node that was asked may be the one that died.
            }
        });
        await().alias(statement + ", killed at a " + method + " " + moment)
                .atMost(PATIENCE)
                .until(GATE::hasSprung);
        CLUSTER.startMissing();
        CLUSTER.awaitReady();
        checkCounts();
    }

    private static void checkCounts() {
        for (int node = 1; node <= CLUSTER.size(); node++) {
            int asked = node;
            await().atMost(PATIENCE).until(() -> sql(asked, "SELECT 1").statusCode() == 200);
            await().atMost(PATIENCE)
                    .until(() -> sql(asked, "SELECT count(*) FROM m").statusCode() == 200);
            assertThat(count(asked)).as("rows at node %d", asked).isEqualTo(rows);
        }
    }

    private static int countUntil(AtomicBoolean done, int node, AtomicLong acknowledged) {
        int answers = 0;
        for (long last = 0; !done.get(); answers++) {
            long least = Math.max(last, acknowledged.get());
            last = count(node);
            assertThat(last).as("rows at node %d", node).isGreaterThanOrEqualTo(least);
        }
        return answers;
    }

    private static long count(int node) {
        try {
            HttpResponse<String> answer = sql(node, "SELECT count(*), count(DISTINCT time) FROM m");
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            JsonNode row = JSON.readTree(answer.body()).path("rows").path(0);
            assertThat(row.path(0).longValue())
                    .as("rows once each")
                    .isEqualTo(row.path(1).longValue());
            return row.path(0).longValue();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(int count) {
        await().atMost(PATIENCE).until(() -> tryWrite(count).statusCode() == 204);
    }

    /** Rows with times that no row had before; the same again until they are stored. */
    private static HttpResponse<String> tryWrite(int count) throws IOException {
        StringBuilder body = new StringBuilder();
        for (int i = 0; i < count; i++) {
            body.append("m,h=")
                    .append(i % 7)
                    .append(" v=1i ")
                    .append(1_767_225_600_000_000_000L + rows + i)
                    .append('\n');
        }
        HttpResponse<String> answer = CLUSTER.post(1 + (int) (rows % 3), "/api/v2/write?precision=ns", body.toString());
        rows += answer.statusCode() == 204 ? count : 0;
        return answer;
    }

    private static HttpResponse<String> sql(int node, String statement) throws IOException {
        return statement.startsWith("SELECT")
                ? CLUSTER.get(node, "/api/v1/sql?q=" + URLEncoder.encode(statement, StandardCharsets.UTF_8))
                : CLUSTER.post(node, "/api/v1/sql", statement);
    }

    /** Asks until it is done; returns what it says that it did. */
    private static long done(int node, String statement) throws IOException {
        HttpResponse<String> answer =
                await().atMost(PATIENCE).until(() -> sql(node, statement), response -> response.statusCode() == 200);
        return JSON.readTree(answer.body()).path("rows").path(0).path(0).longValue();
    }

    private static int filesNamed() throws IOException {
        return (int) CLUSTER.metric(1, "weir_partition_files");
    }

    private static Path folder() {
        try {
            Path folder = Files.createDirectories(
                    Path.of("target", "it", "s3-" + ProcessHandle.current().pid())
                            .toAbsolutePath());
            Files.writeString(folder.resolve("secret"), S3Server.CREDENTIALS.secretKey());
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
