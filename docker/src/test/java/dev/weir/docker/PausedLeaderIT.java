package dev.weir.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Leaders that stand still for 3 s, again and again, under load (RA-06): writers see retryable errors alone, leadership goes to another and back at most,
 * and nothing is lost, doubled or reordered. Six times; twenty times with {@code -Pchaos}.
 */
final class PausedLeaderIT {
    private static final int PAUSES = "long".equals(System.getProperty("weir.chaos")) ? 20 : 6;
    private static final long PAUSE_MS = 3_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Pattern LEADER_CHANGES =
            Pattern.compile("^weir_raft_leader_changes_total(?:\\{.*})? (\\S+)$", Pattern.MULTILINE);

    @RegisterExtension
    static final LocalCluster CLUSTER = LocalCluster.of(3);

    @Test
    void pausedLeadersLoseNothingAndLeadershipSettles() throws IOException {
        long[] before = leaderChanges();
        double counted = countedLeaderChanges();
        try (Workload workload = Workload.start(CLUSTER, 6)) {
            for (int i = 0; i < PAUSES; i++) {
                int leader = awaitLeader(i % before.length);
                CLUSTER.pause(leader);
                LockSupport.parkNanos(Duration.ofMillis(PAUSE_MS).toNanos());
                CLUSTER.resume(leader);
                workload.awaitProgress(PATIENCE);
            }
            workload.finish(PAUSES + " pauses of " + PAUSE_MS + " ms");
        }
        long[] after = leaderChanges();
        for (int partition = 0; partition < before.length; partition++) {
            assertThat(after[partition] - before[partition])
                    .as("leader changes of partition %d in %d pauses", partition, PAUSES)
                    .isLessThanOrEqualTo(2L * PAUSES);
        }
        assertThat(countedLeaderChanges()).as("leader changes in the metrics").isGreaterThan(counted);
    }

    private static int awaitLeader(int partition) {
        return await().atMost(PATIENCE)
                .until(() -> CLUSTER.leader(1, partition), OptionalInt::isPresent)
                .getAsInt();
    }

    /** Of each partition, as the replica that saw most of them counts. */
    private static long[] leaderChanges() throws IOException {
        JsonNode partitions = CLUSTER.partitions(1);
        long[] changes = new long[partitions.size()];
        for (int partition = 0; partition < changes.length; partition++) {
            for (JsonNode replica : partitions.path(partition).required("replicas")) {
                long seen = replica.required("leader_changes").longValue();
                changes[partition] = Math.max(changes[partition], seen);
            }
        }
        return changes;
    }

    private static double countedLeaderChanges() throws IOException {
        double sum = 0;
        for (int node = 1; node <= CLUSTER.size(); node++) {
            Matcher counter =
                    LEADER_CHANGES.matcher(CLUSTER.get(node, "/metrics").body());
            assertThat(counter.find()).as("node %d counts leader changes", node).isTrue();
            sum += Double.parseDouble(counter.group(1));
        }
        return sum;
    }
}
