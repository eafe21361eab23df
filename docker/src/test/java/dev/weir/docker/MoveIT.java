package dev.weir.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Four nodes, three replicas of each partition: replicas and leaderships move while writers and readers of every kind run, and nodes die in the middle. */
final class MoveIT {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int NODES = 4;
    /** Acknowledged since the move began. */
    private static final int KILLED_AFTER_ROWS_MAX = 60;

    private static final ObjectMapper JSON = new ObjectMapper();

    @RegisterExtension
    static final LocalCluster CLUSTER = LocalCluster.of(NODES);

    /** Of a replica: from a node that has one to the one that has none. */
    private record Move(int partition, int from, int to) {}

    private enum Dies {
        NOBODY,
        WHO_GIVES,
        WHO_GETS,
        WHO_CARRIES_IT_OUT
    }

    @Test
    void nobodyLosesAnythingWhileReplicasMoveAndNodesDie() throws IOException {
        long seed = Long.getLong("weir.seed", System.nanoTime());
        System.out.println("moves: seed " + seed + " (repeat with -Dweir.seed=" + seed + ")");
        Random random = new Random(seed);
        try (Workload workload = Workload.startWithAllReaders(CLUSTER, seed)) {
            workload.awaitProgress(PATIENCE);
            for (Dies dies : Dies.values()) {
                Move move = move(dies.ordinal(), random);
                String id = begin(move);
                workload.awaitProgress(1 + random.nextInt(KILLED_AFTER_ROWS_MAX), PATIENCE);
                restart(dies, move, workload);
                LocalCluster.Run watched = CLUSTER.weir("ops", "watch", id, "--within", "PT90S");
                assertThat(watched.exitCode())
                        .as("%s, %s: %s", move, dies, watched.out())
                        .isZero();
                awaitHeld(move.partition(), move.to(), move.from());
                workload.awaitProgress(PATIENCE);
            }
            int to = replicas(7).getLast();
            LocalCluster.Run led = CLUSTER.weir("partitions", "transfer-leader", "7", "--to", "node" + to);
            assertThat(led.exitCode()).as(led.out()).isZero();
            workload.awaitProgress(PATIENCE);
            workload.finish("replicas moved");
        }
        for (Dies dies : Dies.values()) {
            awaitSetAside(dies.ordinal());
        }
    }

    private static Move move(int partition, Random random) throws IOException {
        List<Integer> holders = replicas(partition);
        for (int node = 1; node <= NODES; node++) {
            if (!holders.contains(node)) {
                return new Move(partition, holders.get(random.nextInt(holders.size())), node);
            }
        }
        throw new AssertionError("partition " + partition + " is held by all nodes");
    }

    /** To a node that is neither asked first by the command line nor leads the catalog. */
    private static Move moveToABystander() throws IOException {
        int catalogLeader = catalogLeader();
        for (int partition = 0; partition < CLUSTER.partitions(1).size(); partition++) {
            Move move = move(partition, new Random(1));
            if (move.to() != 1 && move.to() != catalogLeader) {
                return move;
            }
        }
        throw new AssertionError("no partition can move to a node that nobody needs");
    }

    private static List<Integer> replicas(int partition) throws IOException {
        List<Integer> nodes = new ArrayList<>();
        for (JsonNode replica : CLUSTER.partitions(1).get(partition).required("replicas")) {
            nodes.add(number(replica.required("node")));
        }
        return nodes;
    }

    /** Node 1 may hear of it a moment after the one that was asked. */
    private static void awaitHeld(int partition, int by, int notBy) {
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(replicas(partition)).contains(by).doesNotContain(notBy));
    }

    private static int number(JsonNode node) {
        return Integer.parseInt(node.asText().substring("node".length()));
    }

    private static String begin(Move move) throws IOException {
        LocalCluster.Run begun = CLUSTER.weir(
                "partitions",
                "move",
                Integer.toString(move.partition()),
                "--from",
                "node" + move.from(),
                "--to",
                "node" + move.to(),
                "--no-wait",
                "-o",
                "json");
        assertThat(begun.exitCode()).as(begun.out()).isZero();
        return JSON.readTree(begun.out()).required("id").asText();
    }

    private static void restart(Dies dies, Move move, Workload workload) throws IOException {
        int node = switch (dies) {
            case NOBODY -> 0;
            case WHO_GIVES -> move.from();
            case WHO_GETS -> move.to();
            case WHO_CARRIES_IT_OUT -> catalogLeader();
        };
        if (node > 0) {
            CLUSTER.kill(node);
            workload.leaderKilled();
            CLUSTER.startMissing();
            CLUSTER.awaitReady();
        }
    }

    private static int catalogLeader() throws IOException {
        return number(await().atMost(PATIENCE)
                .until(
                        () -> JSON.readTree(
                                        CLUSTER.get(1, "/api/v1/admin/status").body())
                                .required("cluster")
                                .required("catalog_leader"),
                        leader -> !leader.isNull()));
    }

    /** Who has given a replica up keeps nothing of it open. */
    private static void awaitSetAside(int partition) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            List<Integer> holders = replicas(partition);
            for (int node = 1; node <= NODES; node++) {
                long opened = lines(node, "partition " + partition + " generation 0: replica open");
                long aside = lines(node, "partition " + partition + " generation 0: replica set aside");
                assertThat(holders.contains(node) || opened == 0 || aside > 0)
                        .as("node %d, partition %d of %s", node, partition, holders)
                        .isTrue();
            }
        });
    }

    private static long lines(int node, String text) throws IOException {
        try (var lines = Files.lines(CLUSTER.log(node))) {
            return lines.filter(line -> line.contains(text)).count();
        }
    }

    /** To a node that hangs, so that it can't be over before. */
    @Test
    void aCancelledMoveLeavesAllAsItWas() throws IOException {
        Move move = moveToABystander();
        List<Integer> holders = replicas(move.partition());
        CLUSTER.pause(move.to());
        String id;
        try {
            id = begin(move);
            LocalCluster.Run cancelled = CLUSTER.weir("ops", "cancel", id);
            assertThat(cancelled.exitCode()).as(cancelled.out()).isZero();
        } finally {
            CLUSTER.resume(move.to());
        }
        LocalCluster.Run watched = CLUSTER.weir("ops", "watch", id, "--within", "PT90S");
        assertThat(watched.exitCode()).as(watched.out()).isEqualTo(1);
        assertThat(watched.out()).contains("cancelled");
        assertThat(replicas(move.partition())).isEqualTo(holders);
        CLUSTER.awaitReady();
    }

    @Test
    void aPlanIsLookedAtFirstAndRefusedWhereItIsStale() throws IOException {
        List<Integer> holders = replicas(6);
        String last = "node" + holders.getLast();
        LocalCluster.Run planned =
                CLUSTER.weir("partitions", "transfer-leader", "6", "--to", last, "--dry-run", "-o", "json");
        assertThat(planned.exitCode()).as(planned.out()).isZero();
        JsonNode plan = JSON.readTree(planned.out());
        assertThat(plan.required("state").asText()).isEqualTo("planned");
        assertThat(replicas(6)).isEqualTo(holders);

        LocalCluster.Run other = CLUSTER.weir("partitions", "transfer-leader", "6", "--to", "node" + holders.get(1));
        assertThat(other.exitCode()).as(other.out()).isZero();
        LocalCluster.Run stale =
                CLUSTER.weir("ops", "apply", plan.required("id").asText());
        assertThat(stale.exitCode()).isEqualTo(1);
        assertThat(stale.out()).contains("make it anew");

        LocalCluster.Run emptied = CLUSTER.weir("nodes", "drain", "node4");
        assertThat(emptied.exitCode()).as(emptied.out()).isZero();
        for (int partition = 0; partition < 8; partition++) {
            assertThat(replicas(partition)).doesNotContain(4);
        }
        assertThat(CLUSTER.weir("nodes", "drain", "node4").out()).contains("nothing is to be done");
        LocalCluster.Run full = CLUSTER.weir("nodes", "drain", "node3");
        assertThat(full.exitCode())
                .as("node4 can take all of it: %s", full.out())
                .isZero();
        LocalCluster.Run even = CLUSTER.weir("partitions", "rebalance");
        assertThat(even.exitCode()).as(even.out()).isZero();
        assertThat(CLUSTER.weir("partitions", "rebalance").out()).contains("nothing is to be done");

        LocalCluster.Run unknown = CLUSTER.weir(
                "partitions", "move", "6", "--from", "node" + replicas(6).getFirst(), "--to", "node9");
        assertThat(unknown.exitCode()).isEqualTo(1);
        assertThat(unknown.out()).contains("node node9 does not exist");
        assertThat(CLUSTER.weir("ops", "list").out())
                .contains("planned", "transfer-leader", "drain", "rebalance", "done");
    }
}
