package dev.weir.wal.ratis;

import static dev.weir.wal.ratis.Cluster.SOON;
import static dev.weir.wal.ratis.Cluster.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.wal.LogMembers;
import dev.weir.wal.LogStatus;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Replicas join, listen, are promoted and leave. */
class MembershipTest {
    @TempDir
    Path directory;

    @Test
    void growsFromOneToThreeThroughListenersAndShrinksAgain() {
        try (Cluster cluster = new Cluster(directory, 3)) {
            cluster.nodes().forEach(cluster::startHost);
            cluster.open("n1", cluster.members(List.of("n1")));
            cluster.write(1);

            cluster.open("n2", LogMembers.joining());
            cluster.open("n3", LogMembers.joining());
            setMembers(cluster, cluster.members(List.of("n1"), List.of("n2", "n3")));
            cluster.write(2);
            cluster.awaitApplied("n2", 2);
            cluster.awaitApplied("n3", 2);
            await().atMost(SOON).until(() -> cluster.status("n3").role() == LogStatus.Role.LISTENER);
            assertThat(cluster.status("n3").members()).isEqualTo(cluster.members(List.of("n1"), List.of("n2", "n3")));
            get(cluster.hosts.get("n3").linearize(cluster.group));
            assertThat(cluster.states.get("n2").installs).hasValue(0);

            setMembers(cluster, cluster.members(List.of("n1", "n2", "n3")));
            await().atMost(SOON).until(() -> cluster.status("n3").role() == LogStatus.Role.FOLLOWER);
            cluster.leadBy("n3");
            cluster.write(3);

            setMembers(cluster, cluster.members(List.of("n2", "n3")));
            cluster.write(4);
            get(cluster.hosts.get("n1").retire(cluster.group));
            cluster.hosts.remove("n1").close();
            cluster.write(5);
            cluster.awaitApplied("n2", 5);
            assertThat(cluster.states.get("n2").values()).containsExactly(1L, 2L, 3L, 4L, 5L);
            assertThat(cluster.faults).isEmpty();
        }
    }

    @Test
    void joinerWithoutALogFetchesASnapshotFirst() {
        try (Cluster cluster = new Cluster(directory, 2)) {
            cluster.config = c -> Configs.snapshotEvery(c, 1 << 20);
            cluster.nodes().forEach(cluster::startHost);
            cluster.open("n1", cluster.members(List.of("n1")));
            for (long i = 1; i <= 60; i++) {
                cluster.write(i, 256 << 10);
            }
            await().atMost(SOON).until(() -> cluster.states.get("n1").snapshots.get() >= 5);
            cluster.open("n2", LogMembers.joining());
            setMembers(cluster, cluster.members(List.of("n1"), List.of("n2")));
            cluster.write(61);
            cluster.awaitApplied("n2", 61);
            assertThat(cluster.status("n2").snapshotInstalls()).isEqualTo(1);
            assertThat(cluster.states.get("n2").lines())
                    .isEqualTo(cluster.states.get("n1").lines());
        }
    }

    private static void setMembers(Cluster cluster, LogMembers members) {
        get(cluster.hosts.get(cluster.leader()).setMembers(cluster.group, members));
    }
}
