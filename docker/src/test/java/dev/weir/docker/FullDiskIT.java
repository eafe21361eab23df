package dev.weir.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Disks that are full to the last byte, past the reserve: what can't be stored is refused with 507 or 503, and once there is space all goes on, without a
 * restart and with everything that was acknowledged (RA-04). Needs root, to mount small disks.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class FullDiskIT {
    private static final int DISK_MB = 160;
    private static final int RESERVE_MB = 16;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long LOG_BYTES_MAX = 512 << 10;
    private static final String ROW = "full,h=a v=1i 1767225600000000000";

    @RegisterExtension
    static final LocalCluster CLUSTER = LocalCluster.of(3, "-c", "disk.reserve-bytes=" + RESERVE_MB + "MiB")
            .onDisk(1, path -> SmallDisk.inMemory(path, DISK_MB))
            .onDisk(2, path -> SmallDisk.inMemory(path, DISK_MB))
            .onDisk(3, path -> SmallDisk.inMemory(path, DISK_MB));

    @AfterEach
    void emptyDisks() {
        for (int node = 1; node <= CLUSTER.size(); node++) {
            CLUSTER.disk(node).empty();
        }
    }

    /** One disk, then all of them, under load; the full nodes are in the middle of entries when it happens. */
    @Test
    @Order(1)
    void fullDisksRefuseAndRecoverByThemselves() throws IOException {
        List<Long> pids = CLUSTER.pids();
        try (Workload workload = Workload.start(CLUSTER, 4)) {
            workload.awaitProgress(PATIENCE);
            awaitStored(1); // of another table, which the checks of this one leave out
            CLUSTER.disk(2).fill();
            await().atMost(PATIENCE).until(() -> !replicasWork(2));
            workload.awaitProgress(PATIENCE);
            assertThat(CLUSTER.pids()).as("processes with one disk full").isEqualTo(pids);
            CLUSTER.disk(2).empty();
            awaitAllReplicasWork();
            workload.awaitProgress(PATIENCE);

            for (int node = 1; node <= CLUSTER.size(); node++) {
                CLUSTER.disk(node).fill();
            }
            long logged = logBytes();
            for (int node = 1; node <= CLUSTER.size(); node++) {
                assertRefuses(node);
            }
            assertThat(CLUSTER.pids()).as("processes with all disks full").isEqualTo(pids);
            assertThat(logBytes() - logged).as("bytes logged meanwhile").isLessThan(LOG_BYTES_MAX);
            emptyDisks();
            workload.awaitProgress(PATIENCE);
            awaitAllReplicasWork();
            workload.finish("one disk full, all disks full");
        }
        assertThat(CLUSTER.pids()).as("processes afterwards").isEqualTo(pids);
    }

    /** Below the reserve, where a cluster is read only, also after a restart. */
    @Test
    @Order(2)
    void disksBelowTheReserveAreReadOnly() throws IOException {
        for (int node = 1; node <= CLUSTER.size(); node++) {
            CLUSTER.disk(node).fillAllBut((RESERVE_MB - 4) << 20);
        }
        CLUSTER.kill(3);
        CLUSTER.startMissing();
        CLUSTER.awaitReady();
        for (int node = 1; node <= CLUSTER.size(); node++) {
            assertRefuses(node);
            HttpResponse<String> answer = write(node);
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(507);
            HttpResponse<String> read = CLUSTER.get(node, "/api/v1/latest?measurement=chaos");
            assertThat(read.statusCode()).as(read.body()).isEqualTo(200);
            assertThat(read.body()).contains("\"row_count\":21");
        }
        emptyDisks();
        for (int node = 1; node <= CLUSTER.size(); node++) {
            awaitStored(node);
        }
    }

    /** Without any space: a node waits for it, quietly. */
    @Test
    @Order(3)
    void nodeStartedWithoutSpaceWaitsForIt() throws IOException {
        CLUSTER.kill(3);
        CLUSTER.disk(3).fill();
        CLUSTER.startMissing();
        List<Long> pids = CLUSTER.pids();
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .untilAsserted(() ->
                        assertThat(CLUSTER.get(3, "/health/live").statusCode()).isEqualTo(200));
        awaitStored(1);
        CLUSTER.disk(3).empty();
        CLUSTER.awaitReady();
        awaitAllReplicasWork();
        awaitStored(3);
        assertThat(CLUSTER.pids()).isEqualTo(pids);
    }

    /** Soon, since free space is looked at now and then; what was taken until then is on disk. */
    private static void assertRefuses(int node) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            HttpResponse<String> answer = write(node);
            assertThat(answer.statusCode()).as(answer.body()).isIn(503, 507);
            assertThat(answer.headers().firstValue("Retry-After")).isPresent();
        });
    }

    private static void awaitStored(int node) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(write(node).statusCode()).isEqualTo(204));
    }

    private static HttpResponse<String> write(int node) throws IOException {
        return CLUSTER.post(node, "/api/v2/write", ROW);
    }

    private static void awaitAllReplicasWork() {
        await().atMost(PATIENCE).ignoreExceptions().until(() -> {
            for (int node = 1; node <= CLUSTER.size(); node++) {
                if (!replicasWork(node)) {
                    return false;
                }
            }
            return true;
        });
    }

    /** All replicas of a node run. */
    private static boolean replicasWork(int node) throws IOException {
        for (JsonNode partition : CLUSTER.partitions(1)) {
            for (JsonNode replica : partition.required("replicas")) {
                if (replica.required("node").asText().equals("node" + node)
                        && !replica.required("phase").asText().equals("running")) {
                    return false;
                }
            }
        }
        return true;
    }

    private static long logBytes() throws IOException {
        long bytes = 0;
        for (int node = 1; node <= CLUSTER.size(); node++) {
            bytes += Files.size(CLUSTER.log(node));
        }
        return bytes;
    }
}
