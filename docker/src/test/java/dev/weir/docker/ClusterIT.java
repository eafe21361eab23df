package dev.weir.docker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Three nodes: what was acknowledged stays, in stream and table, whatever is killed or restarted. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class ClusterIT {
    @RegisterExtension
    static final LocalCluster CLUSTER = LocalCluster.of(3);

    private static final Rows ROWS = new Rows(CLUSTER, "cluster_it");
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    @Order(1)
    void everyNodeTakesWritesAndTellsAllOfThem() throws IOException, InterruptedException {
        ROWS.write(300);

        assertNothingLost();
    }

    @Test
    @Order(2)
    void killedLeaderLosesNothing() throws IOException, InterruptedException {
        int leader = leaderOfFirstPartition();
        ROWS.write(100);
        CLUSTER.kill(leader);
        ROWS.write(300);
        CLUSTER.restart(leader);
        ROWS.write(100);

        assertNothingLost();
    }

    @Test
    @Order(3)
    void rollingRestartLosesNothing() throws IOException, InterruptedException {
        for (int node = 1; node <= CLUSTER.size(); node++) {
            CLUSTER.restart(node);
            ROWS.write(100);
        }

        assertNothingLost();
    }

    @Test
    @Order(4)
    void fullRestartLosesNothing() throws IOException, InterruptedException {
        CLUSTER.down();
        CLUSTER.up();
        ROWS.write(100);

        assertNothingLost();
    }

    @Test
    @Order(5)
    void allNodesKilledAtOnceLoseNothing() throws IOException, InterruptedException {
        for (int node = 1; node <= CLUSTER.size(); node++) {
            CLUSTER.kill(node);
        }
        CLUSTER.up();
        ROWS.write(100);

        assertNothingLost();
    }

    private static void assertNothingLost() throws IOException, InterruptedException {
        for (int node = 1; node <= CLUSTER.size(); node++) {
            assertThat(ROWS.streamed(node)).as("stream of node %d", node).isEqualTo(ROWS.acknowledged());
        }
        assertThat(latestNumbers()).isEqualTo(newestOfEachSeries());
    }

    private static Set<Integer> latestNumbers() throws IOException {
        JsonNode answer = JSON.readTree(
                CLUSTER.get(1, "/api/v1/latest?measurement=cluster_it").body());
        int column = -1;
        for (int i = 0; i < answer.path("columns").size(); i++) {
            column = answer.path("columns").path(i).path("name").asText().equals("n") ? i : column;
        }
        Set<Integer> numbers = new TreeSet<>();
        for (JsonNode row : answer.path("rows")) {
            numbers.add(row.path(column).asInt());
        }
        return numbers;
    }

    private static Set<Integer> newestOfEachSeries() {
        int count = ROWS.acknowledged().size();
        Set<Integer> newest = new TreeSet<>();
        for (int n = Math.max(0, count - 40); n < count; n++) {
            newest.add(n);
        }
        return newest;
    }

    private static int leaderOfFirstPartition() throws IOException {
        JsonNode partitions =
                JSON.readTree(CLUSTER.get(1, "/api/v1/admin/partitions").body()).path("partitions");
        String leader = partitions.path(0).path("leader").asText();
        return Integer.parseInt(leader.substring("node".length()));
    }
}
