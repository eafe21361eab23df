package dev.weir.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A leader whose disk hangs, without an error, while its process and its heartbeats go on (RA-07): others take over, nobody who writes is left hanging,
 * and after the thaw all agree. Needs root and a loop device.
 */
final class HungDiskIT {
    private static final int HUNG = 1;
    private static final int OTHER = 2;
    private static final int DISK_MB = 512;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** raft.stall-timeout, then a hand-over; cores are shared. */
    private static final Duration TAKEN_OVER = Duration.ofSeconds(25);

    /** raft.stall-timeout, and what else may wait for it; a table that is new to the hung node's catalog takes 5 s. */
    private static final Duration ANSWER_MAX = Duration.ofSeconds(10);

    private static final Executor CLIENTS = Executors.newVirtualThreadPerTaskExecutor();

    @RegisterExtension
    static final LocalCluster CLUSTER = LocalCluster.of(3).onDisk(HUNG, path -> SmallDisk.freezable(path, DISK_MB));

    @AfterEach
    void thaw() {
        CLUSTER.disk(HUNG).thaw();
    }

    @Test
    void leaderWithAHungDiskStepsDownAndComesBack() throws IOException {
        await().atMost(PATIENCE).until(() -> ledByHung(HUNG) > 0);
        try (Workload workload = Workload.start(CLUSTER, 7)) {
            workload.awaitProgress(PATIENCE);
            CLUSTER.disk(HUNG).freeze();
            await().atMost(TAKEN_OVER).until(() -> ledByHung(OTHER) == 0 && allLed(OTHER));
            workload.awaitProgress(PATIENCE);
            assertAnswersSoon(0, 5);
            assertAnswersSoon(5, 5);
            CLUSTER.disk(HUNG).thaw();
            workload.finish("a disk frozen");
            await().atMost(PATIENCE).until(() -> lagOfHung() == 0);
            assertThat(workload.slowestAnswer()).isLessThan(ANSWER_MAX);
        }
    }

    /** Through the node whose disk hangs, each by a client of its own; only the first rows are of a table that it does not know. */
    private static void assertAnswersSoon(int from, int clients) {
        IntStream.range(from, from + clients)
                .mapToObj(i -> CompletableFuture.runAsync(() -> assertAnswersSoon("hung,h=h" + i + " v=" + i), CLIENTS))
                .toList()
                .forEach(CompletableFuture::join);
    }

    private static void assertAnswersSoon(String row) {
        long start = System.nanoTime();
        try {
            HttpResponse<String> answer = CLUSTER.post(HUNG, "/api/v2/write", row);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(ANSWER_MAX);
            assertThat(answer.statusCode()).as(answer.body()).isIn(204, 503);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long ledByHung(int asked) throws IOException {
        long led = 0;
        for (JsonNode partition : CLUSTER.partitions(asked)) {
            led += partition.path("leader").asText().equals("node" + HUNG) ? 1 : 0;
        }
        return led;
    }

    private static boolean allLed(int asked) throws IOException {
        for (JsonNode partition : CLUSTER.partitions(asked)) {
            if (partition.path("leader").isNull()) {
                return false;
            }
        }
        return true;
    }

    private static long lagOfHung() throws IOException {
        long lag = 0;
        for (JsonNode partition : CLUSTER.partitions(OTHER)) {
            for (JsonNode replica : partition.required("replicas")) {
                if (replica.required("node").asText().equals("node" + HUNG)) {
                    lag += replica.path("lag").asLong(Long.MAX_VALUE / 100);
                }
            }
        }
        return lag;
    }
}
