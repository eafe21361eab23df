package dev.weir.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.partition.store.ObjectEntry;
import dev.weir.partition.store.ObjectStore;
import dev.weir.partition.store.RetryConfig;
import dev.weir.partition.store.S3Config;
import dev.weir.partition.store.S3Server;
import dev.weir.partition.store.StoreConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A node with its files in an S3 server in a container of its own: files come, are merged and read; and none is lost while the container is stopped. */
@EnabledIf(value = "dev.weir.docker.S3Container#mayRun", disabledReason = "skipped: no Docker engine answers")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class S3DockerIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String URL = "s3://" + S3Container.BUCKET + "/some/where";
    private static final ObjectMapper JSON = new ObjectMapper();

    @RegisterExtension
    @Order(1)
    static final S3Container S3 = new S3Container();

    @RegisterExtension
    @Order(2)
    static final LocalCluster CLUSTER = LocalCluster.of(
            1,
            "--rf",
            "1",
            "--partitions",
            "2",
            "-c",
            "store.url=" + URL,
            "-c",
            "store.s3.endpoint=" + S3.endpoint(),
            "-c",
            "store.s3.path-style=on",
            "-c",
            "store.s3.access-key=" + S3Server.CREDENTIALS.accessKey(),
            "-c",
            "store.s3.secret-key-file=" + secret(),
            "-c",
            "store.retry-delay-max=500ms",
            "-c",
            "flush.rows=1000",
            "-c",
            "flush.min-interval=0s");

    private static int rows;

    @Test
    @Order(1)
    void filesAreStoredMergedAndRead() throws IOException {
        write(700);
        CLUSTER.sql(1, "FLUSH TABLE m");
        write(300);
        CLUSTER.sql(1, "FLUSH TABLE m");
        assertThat(dataFiles()).as("files of two flushes").hasSizeGreaterThan(2);
        CLUSTER.sql(1, "COMPACT TABLE m");
        expectAllRows();
        assertThat(CLUSTER.metric(1, "weir_partition_buffered_rows")).isZero();
        assertThat(CLUSTER.metric(1, "weir_partition_files"))
                .as("files of two partitions")
                .isEqualTo(2);
        assertThat(dataFiles())
                .allSatisfy(file -> assertThat(file.key()).contains("/m-").contains("/date=2026-01-01/"));
    }

    @Test
    @Order(2)
    void writesGoOnWhileTheContainerIsStoppedAndAllIsFlushedAfterwards() throws IOException {
        S3.stop();
        for (int batch = 0; batch < 10; batch++) {
            write(500);
        }
        await().atMost(PATIENCE).until(() -> CLUSTER.metric(1, "weir_store_errors_total") > 0);
        assertThat(CLUSTER.metric(1, "weir_partition_buffered_rows"))
                .as("rows that wait")
                .isEqualTo(5_000);
        await().atMost(PATIENCE).until(() -> checks().contains("\"store\""));
        assertThat(CLUSTER.weir("status").orFail().out()).contains("node1: store: requests to the object store fail");
        assertThat(CLUSTER.metric(1, "weir_flush_lag_seconds")).isPositive();

        S3.start();

        await().atMost(PATIENCE).until(() -> CLUSTER.metric(1, "weir_partition_buffered_rows") < 1_000);
        CLUSTER.sql(1, "FLUSH TABLE m");
        assertThat(CLUSTER.metric(1, "weir_partition_buffered_rows")).isZero();
        expectAllRows();
        assertThat(checks()).isEqualTo("[]");
    }

    /** What the node's health says is not as it should be. */
    private static String checks() throws IOException {
        return JSON.readTree(CLUSTER.get(1, "/health").body()).path("checks").toString();
    }

    private static void write(int count) throws IOException {
        StringBuilder body = new StringBuilder();
        for (int i = 0; i < count; i++, rows++) {
            body.append("m,h=").append(rows % 17).append(" v=").append(rows).append("i ");
            body.append(1_767_225_600_000_000_000L + rows).append('\n');
        }
        HttpResponse<String> answer = CLUSTER.post(1, "/api/v2/write", body.toString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(204);
    }

    private static void expectAllRows() throws IOException {
        JsonNode row = CLUSTER.sql(1, "SELECT count(*), sum(v), count(DISTINCT time) FROM m")
                .path("rows")
                .path(0);
        assertThat(row.path(0).longValue()).as("rows").isEqualTo(rows);
        assertThat(row.path(1).asLong()).as("sum of their values").isEqualTo(rows * (rows - 1L) / 2);
        assertThat(row.path(2).longValue()).as("rows once each").isEqualTo(rows);
    }

    /** Asked of the container itself. */
    private static List<ObjectEntry> dataFiles() throws IOException {
        S3Config s3 = new S3Config(
                Optional.of(S3.endpoint()),
                "us-east-1",
                true,
                Optional.of(S3Server.CREDENTIALS),
                S3Config.PART_BYTES_MIN);
        try (ObjectStore store = ObjectStore.open(new StoreConfig(URI.create(URL), s3, RetryConfig.DEFAULT))) {
            return store.list("default/", "", 1000);
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static Path secret() {
        try {
            Path folder = Files.createDirectories(Path.of("target", "it").toAbsolutePath());
            return Files.writeString(folder.resolve("s3-secret"), S3Server.CREDENTIALS.secretKey());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
