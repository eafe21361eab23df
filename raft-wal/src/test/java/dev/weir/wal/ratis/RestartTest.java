package dev.weir.wal.ratis;

import static dev.weir.wal.ratis.Cluster.SOON;
import static dev.weir.wal.ratis.Cluster.entry;
import static dev.weir.wal.ratis.Cluster.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.wal.FreePorts;
import dev.weir.wal.LogMembers;
import dev.weir.wal.LogPosition;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Nodes leave and come back, with what they had on disk. */
@Execution(ExecutionMode.CONCURRENT) // most of each is waiting
class RestartTest {
    @TempDir
    Path directory;

    @Test
    void anotherLeadsWhenTheLeaderIsGoneAndTheLogIsCaughtUpWith() {
        try (Cluster cluster = new Cluster(directory, 3).startAll()) {
            cluster.write(1);
            String first = cluster.leader();
            cluster.stop(first);
            cluster.write(2);
            assertThat(cluster.leader()).isNotEqualTo(first);
            for (long i = 3; i <= 50; i++) {
                cluster.write(i);
            }
            cluster.start(first);
            await().atMost(SOON).until(() -> cluster.states.get(first).values().containsAll(sequence(50)));
            assertThat(cluster.states.get(first).installs).hasValue(0);
            assertThat(cluster.faults).isEmpty();
        }
    }

    @Test
    void allComeBackWithOtherAddresses() {
        Cluster cluster = new Cluster(directory, 3).startAll();
        for (long i = 1; i <= 20; i++) {
            cluster.write(i);
        }
        cluster.close();
        cluster.hosts.clear();
        cluster.nodes().forEach(id -> cluster.addresses.put(id, "localhost:" + FreePorts.next()));
        try (cluster) {
            cluster.startAll();
            cluster.write(21);
            for (String node : cluster.nodes()) {
                await().atMost(SOON)
                        .untilAsserted(() ->
                                assertThat(cluster.states.get(node).values()).containsExactlyElementsOf(sequence(21)));
            }
            assertThat(cluster.status(cluster.leader()).members()).isEqualTo(cluster.members(cluster.nodes()));
        }
    }

    @Test
    void oneMovesWhileTheOthersRun() {
        try (Cluster cluster = new Cluster(directory, 3).startAll()) {
            cluster.write(1);
            String moved = cluster.follower();
            cluster.stop(moved);
            cluster.addresses.put(moved, "localhost:" + FreePorts.next());
            cluster.hosts.values().forEach(host -> host.locate(cluster.peer(moved)));
            cluster.start(moved);
            cluster.write(2);
            await().atMost(SOON).until(() -> cluster.states.get(moved).values().contains(2L));
        }
    }

    @Test
    void soleVoterLeadsAtOnceAndReadsWhatItAcknowledged() {
        try (Cluster cluster = new Cluster(directory, 1)) {
            cluster.config = c -> c;
            cluster.startAll();
            for (long i = 1; i <= 30; i++) {
                cluster.write(i);
            }
            LogPosition covered = get(cluster.hosts.get("n1").snapshot(cluster.group));
            assertThat(covered.index()).isEqualTo(cluster.status("n1").appliedIndex());
            cluster.write(31);
            cluster.stop("n1");
            JournalState stopped = cluster.states.get("n1");
            assertThat(stopped.closed).isTrue();
            cluster.start("n1");
            assertThat(cluster.states.get("n1").size()).isEqualTo(31); // its snapshot at the close
            cluster.leader();
            get(cluster.hosts.get("n1").linearize(cluster.group));
            assertThat(cluster.states.get("n1").values()).containsExactlyElementsOf(sequence(31));
        }
    }

    @Test
    void closesOpensAndRetiresOneGroup() {
        try (Cluster cluster = new Cluster(directory, 1).startAll()) {
            RatisLogHost host = cluster.hosts.get("n1");
            LogMembers members = cluster.members(List.of("n1"));
            cluster.write(1);
            get(host.open(cluster.group, members, cluster.states.get("n1")));
            get(host.close(cluster.group));
            assertThat(host.status(cluster.group)).isEmpty();
            assertThat(host.onDisk()).containsExactly(cluster.group);
            cluster.open("n1", members);
            cluster.write(2);
            assertThat(cluster.states.get("n1").values()).containsExactly(1L, 2L);
            get(host.retire(cluster.group));
            assertThat(host.onDisk()).isEmpty();
            assertThat(directory.resolve("n1/removed/" + cluster.group + "/current"))
                    .exists();
            cluster.open("n1", members);
            cluster.write(3);
            assertThat(cluster.states.get("n1").values()).containsExactly(3L);
            get(host.close(cluster.group));
            get(host.retire(cluster.group));
            assertThat(directory.resolve("n1/removed/" + cluster.group + ".1")).exists();
        }
    }

    @Test
    void snapshotsByBytesCutTheLog() throws Exception {
        try (Cluster cluster = new Cluster(directory, 1).startAll()) {
            for (long i = 1; i <= 100; i++) {
                cluster.write(i, 256 << 10);
            }
            await().atMost(SOON).until(() -> cluster.states.get("n1").snapshots.get() >= 2);
            cluster.write(101);
            await().atMost(SOON).until(() -> logBytes(cluster) < 16 << 20);
        }
    }

    private static long logBytes(Cluster cluster) throws Exception {
        Path current = cluster.directories.get("n1").resolve(cluster.group + "/current");
        try (var files = Files.list(current)) {
            return files.filter(file -> file.getFileName().toString().startsWith("log_"))
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    @Test
    void failedApplyIsAFaultAndNothingIsAppliedAfterIt() {
        Cluster cluster = new Cluster(directory, 1).startAll();
        try (cluster) {
            cluster.write(1);
            RatisLogHost host = cluster.hosts.get("n1");
            var doomed = host.append(cluster.group, java.nio.ByteBuffer.wrap(JournalState.FAIL));
            var behind = host.append(cluster.group, entry(2, 8));
            await().atMost(SOON).until(() -> !cluster.faults.isEmpty());
            assertThat(cluster.faults.peek()).contains("apply of entry");
            await().atMost(SOON)
                    .until(() -> doomed.toCompletableFuture().isCompletedExceptionally()
                            && behind.toCompletableFuture().isCompletedExceptionally());
            assertThat(cluster.states.get("n1").values()).containsExactly(1L);
            await().atMost(SOON).until(() -> cluster.status("n1").phase().equals("closed"));
        }
    }

    private static List<Long> sequence(long last) {
        return LongStream.rangeClosed(1, last).boxed().toList();
    }
}
