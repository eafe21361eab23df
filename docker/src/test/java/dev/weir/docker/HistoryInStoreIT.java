package dev.weir.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.docker.S3Gate.Moment;
import dev.weir.partition.store.S3Server;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Three nodes that keep 2 MiB of history on their disks and the rest in S3: all of it is read from every node, once, whoever dies while it is moved; it waits while the store is
 * away; and it goes by retention.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@EnabledIfSystemProperty(
        named = "weir.chaos",
        matches = "long",
        disabledReason = "skipped: runs with -Pchaos, for its time")
class HistoryInStoreIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int LOCAL_BYTES = 2 << 20;
    private static final int SEGMENT_BYTES = 1 << 20;
    private static final int ROWS_OF_A_WRITE = 100;
    private static final Path FOLDER = folder();
    private static final S3Gate GATE = new S3Gate(FOLDER, ".seg");
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
            "store.orphan-age=2s",
            "-c",
            "flush.rows=500",
            "-c",
            "flush.min-interval=0s",
            "-c",
            "cache.bytes-max=5MiB",
            "-c",
            "segment.bytes=" + SEGMENT_BYTES,
            "-c",
            "retention.bytes=14MiB",
            "-c",
            "retention.local-bytes=" + LOCAL_BYTES);

    private static final Random RANDOM = new Random(4);
    private static int writes;

    @AfterAll
    static void close() throws IOException {
        GATE.close();
    }

    @Test
    @Order(1)
    void whatDisksShouldNotKeepIsReadFromTheStore() throws IOException {
        write(80);
        awaitMoved();
        for (int node = 1; node <= CLUSTER.size(); node++) {
            assertThat(CLUSTER.metric(node, "weir_partition_moved_segment_bytes"))
                    .as("moved, at node %d", node)
                    .isGreaterThan(3 * SEGMENT_BYTES);
            assertThat(CLUSTER.metric(node, "weir_partition_oldest_seq")).isEqualTo(1);
            assertWholeHistory(node);
            assertThat(CLUSTER.metric(node, "weir_history_fetched_segments_total"))
                    .isPositive();
        }
        assertThat(GATE.dataFiles()).hasSize((int) CLUSTER.metric(1, "weir_partition_moved_segments"));
    }

    @Test
    @Order(2)
    void aLeaderKilledOnTheWayLosesAndDoublesNothing() throws IOException {
        killAt(Moment.AFTER_THE_STORE);
        killAt(Moment.BEFORE_THE_STORE);
        awaitMoved();
        for (int node = 1; node <= CLUSTER.size(); node++) {
            assertWholeHistory(node);
        }
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(GATE.dataFiles())
                        .as("segments in the store")
                        .hasSize((int) CLUSTER.metric(1, "weir_partition_moved_segments")));
    }

    @Test
    @Order(3)
    void whileTheStoreIsAwayAllStaysAndReadersWait() throws IOException {
        double moved = CLUSTER.metric(1, "weir_partition_moved_segments");
        CompletableFuture<Void> reader;
        GATE.slowDown(true);
        try {
            write(20);
            double failures = CLUSTER.metric(1, "weir_history_store_read_failures_total");
            // Another filter: pages of the one before are in memory.
            reader = CompletableFuture.runAsync(() -> assertWholeHistory(1, "&measurement=m"));
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(CLUSTER.metric(1, "weir_history_store_read_failures_total"))
                            .isGreaterThan(failures));
            for (int node = 1; node <= CLUSTER.size(); node++) {
                assertThat(CLUSTER.metric(node, "weir_partition_moved_segments"))
                        .isEqualTo(moved);
                assertThat(CLUSTER.metric(node, "weir_partition_segment_bytes")).isGreaterThan(LOCAL_BYTES);
            }
            assertThat(reader).isNotDone();
        } finally {
            GATE.slowDown(false);
        }
        reader.join();
        awaitMoved();
    }

    /** Retention is looked after every thirty seconds. */
    @Test
    @Order(4)
    void historyThatRetentionTakesGoesFromTheStore() throws IOException {
        write(100);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(CLUSTER.metric(1, "weir_partition_oldest_seq"))
                        .isGreaterThan(1));
        awaitMoved();
        long oldest = (long) CLUSTER.metric(1, "weir_partition_oldest_seq");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(GATE.dataFiles())
                        .as("segments in the store")
                        .hasSize((int) CLUSTER.metric(1, "weir_partition_moved_segments")));
        for (int node = 1; node <= CLUSTER.size(); node++) {
            assertThat(CLUSTER.get(node, "/api/v1/cdc/stream?from=0:1").statusCode())
                    .isEqualTo(410);
            assertThat(readAll(node, "").first()).isGreaterThanOrEqualTo(oldest);
        }
    }

    /** What a stream from the earliest event on was. */
    private record Read(long first, long last, Set<String> rows) {}

    private static void killAt(Moment moment) throws IOException {
        GATE.set(new S3Gate.Trap("PUT", moment, partition -> {
            try {
                CLUSTER.kill(CLUSTER.leader(1, partition).orElseThrow());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }));
        for (int i = 0; !GATE.hasSprung() && i < 60; i++) {
            write(1);
        }
        await().alias("killed at a PUT " + moment).atMost(PATIENCE).until(GATE::hasSprung);
        CLUSTER.startMissing();
        CLUSTER.awaitReady();
    }

    /** On each disk there is no more than there should be, and a segment that is being written. */
    private static void awaitMoved() {
        await().atMost(PATIENCE).untilAsserted(() -> {
            for (int node = 1; node <= CLUSTER.size(); node++) {
                assertThat(CLUSTER.metric(node, "weir_partition_segment_bytes"))
                        .as("bytes of segments at node %d", node)
                        .isBetween(1.0, (double) LOCAL_BYTES + 2 * SEGMENT_BYTES);
                assertThat(CLUSTER.metric(node, "weir_partition_moved_segments"))
                        .isEqualTo(CLUSTER.metric(1, "weir_partition_moved_segments"));
            }
        });
    }

    private static void assertWholeHistory(int node) {
        assertWholeHistory(node, "");
    }

    private static void assertWholeHistory(int node, String filter) {
        Read read = readAll(node, filter);
        assertThat(read.first()).isEqualTo(1);
        assertThat(read.rows()).as("rows at node %d", node).hasSize(writes * ROWS_OF_A_WRITE);
    }

    /** From the earliest event to the last of the rows written so far; each once, without holes. */
    private static Read readAll(int node, String filter) {
        String last = Integer.toString(writes * ROWS_OF_A_WRITE - 1);
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) URI.create(CLUSTER.url(node) + "/api/v1/cdc/stream?from=earliest" + filter)
                            .toURL()
                            .openConnection();
            connection.setRequestProperty("Accept", "text/event-stream");
            connection.setReadTimeout((int) PATIENCE.toMillis());
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
                return readTo(lines, last);
            } finally {
                connection.disconnect();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("reading all from node " + node, e);
        }
    }

    private static Read readTo(BufferedReader lines, String lastRow) throws IOException {
        Set<String> rows = new HashSet<>();
        long first = 0;
        long seq = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            JsonNode event = line.startsWith("data:") ? JSON.readTree(line.substring(5)) : JSON.nullNode();
            if (!event.has("seq")) {
                continue;
            }
            assertThat(event.path("seq").longValue()).as("after %d", seq).isGreaterThan(0);
            if (first > 0) {
                assertThat(event.path("seq").longValue()).isEqualTo(seq + 1);
            }
            seq = event.path("seq").longValue();
            first = first == 0 ? seq : first;
            String row = event.path("fields").path("row").asText("");
            if (!row.isEmpty()) {
                assertThat(rows.add(row)).as("row %s once", row).isTrue();
                if (row.equals(lastRow)) {
                    return new Read(first, seq, rows);
                }
            }
        }
        throw new AssertionError("the stream ended after seq " + seq + ", before row " + lastRow);
    }

    /** Requests of a hundred rows with a kilobyte each that can't be compressed by much. */
    private static void write(int count) {
        for (int i = 0; i < count; i++) {
            StringBuilder body = new StringBuilder();
            for (int row = writes * ROWS_OF_A_WRITE; row < (writes + 1) * ROWS_OF_A_WRITE; row++) {
                body.append("m,h=")
                        .append(row % 7)
                        .append(" row=\"")
                        .append(row)
                        .append("\",t=\"");
                RANDOM.ints(1_300, ' ' + 2, '~')
                        .map(c -> c == '\\' || c == '"' ? '.' : c)
                        .forEach(c -> body.append((char) c));
                body.append("\" ").append(1_767_225_600_000_000_000L + row).append('\n');
            }
            int write = writes;
            // The node that is asked first may be the one that died.
            await().atMost(PATIENCE).ignoreExceptions().until(() -> send(write, body.toString()) == 204);
            writes++;
        }
    }

    private static int attempts;

    private static int send(int write, String body) throws IOException {
        int node = 1 + attempts++ % CLUSTER.size();
        return CLUSTER.send(HttpRequest.newBuilder(URI.create(CLUSTER.url(node) + "/api/v2/write?precision=ns"))
                        .header("Idempotency-Key", "write-" + write)
                        .POST(HttpRequest.BodyPublishers.ofString(body)))
                .statusCode();
    }

    private static Path folder() {
        try {
            Path folder = Files.createDirectories(Path.of(
                            "target",
                            "it",
                            "s3-history-" + ProcessHandle.current().pid())
                    .toAbsolutePath());
            Files.writeString(folder.resolve("secret"), S3Server.CREDENTIALS.secretKey());
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
