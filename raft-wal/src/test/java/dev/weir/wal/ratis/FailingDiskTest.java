package dev.weir.wal.ratis;

import static dev.weir.wal.ratis.Cluster.SOON;
import static dev.weir.wal.ratis.Cluster.entry;
import static dev.weir.wal.ratis.Cluster.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.wal.LogException;
import dev.weir.wal.LogException.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Disks that are full, or that hang. */
class FailingDiskTest {
    /** A leader whose log was just closed by an I/O error leaves Ratis's event thread with an exception of its own; the group is reopened all the same. */
    @BeforeAll
    static void judgeByWhatHoldsNotByThreadsOfRatis() {
        Awaitility.doNotCatchUncaughtExceptionsByDefault();
    }

    @TempDir(cleanup = CleanupMode.NEVER)
    Path directory;

    @Test
    void refusesBelowTheReserveAndGoesOnAboveIt() {
        try (TestDisk disk = TestDisk.small(directory, 32);
                Cluster cluster = new Cluster(directory, 1)) {
            onOwnDisk(cluster, disk);
            cluster.config = c -> Configs.reserve(c, 4 << 20);
            cluster.startAll();
            cluster.write(1);
            disk.fill();
            awaitFull(cluster.hosts.get("n1"), cluster, 2);
            assertThat(cluster.status("n1").phase()).isEqualTo("running");
            disk.empty();
            cluster.write(3);
            assertThat(cluster.states.get("n1").values()).startsWith(1L).endsWith(3L);
        }
    }

    @Test
    void takesBelowTheReserveWhatNothingGoesOnWithout() {
        try (TestDisk disk = TestDisk.small(directory, 64);
                Cluster cluster = new Cluster(directory, 1)) {
            onOwnDisk(cluster, disk);
            cluster.config = c -> Configs.reserve(c, 100 << 20);
            cluster.startAll();
            awaitFull(cluster.hosts.get("n1"), cluster, 1);
            cluster.states.get("n1").usesReserve = true;
            cluster.write(2);
            assertThat(cluster.states.get("n1").values()).containsExactly(2L);
        }
    }

    @Test
    void takesBelowTheReserveWhatGivesSpaceBack() {
        try (TestDisk disk = TestDisk.small(directory, 64);
                Cluster cluster = new Cluster(directory, 1)) {
            onOwnDisk(cluster, disk);
            cluster.config = c -> Configs.reserve(c, 100 << 20);
            cluster.startAll();
            RatisLogHost host = cluster.hosts.get("n1");
            awaitFull(host, cluster, 1);
            get(host.appendFreeing(cluster.group, entry(2, 8)));
            assertThat(cluster.states.get("n1").values()).containsExactly(2L);
        }
    }

    @Test
    void opensAFailedLogAgainOnceThereIsSpace() {
        try (TestDisk disk = TestDisk.small(directory, 24);
                Cluster cluster = new Cluster(directory, 1)) {
            onOwnDisk(cluster, disk);
            cluster.startAll();
            RatisLogHost host = cluster.hosts.get("n1");
            List<Long> acknowledged = new ArrayList<>();
            cluster.write(0);
            acknowledged.add(0L);
            disk.fill();
            long value = 1;
            while (!cluster.status("n1").phase().equals("log-failed")) {
                if (succeeds(host.append(cluster.group, entry(value, 64 << 10)))) {
                    acknowledged.add(value);
                }
                value++;
            }
            assertThatThrownBy(() -> get(host.append(cluster.group, entry(-1, 8))))
                    .isInstanceOfSatisfying(
                            LogException.class, e -> assertThat(e.kind()).isEqualTo(Kind.DISK_FULL));
            disk.empty();
            cluster.write(1_000_000);
            assertThat(cluster.status("n1").phase()).isEqualTo("running");
            assertThat(cluster.states.get("n1").values())
                    .containsAll(acknowledged)
                    .doesNotContain(-1L)
                    .endsWith(1_000_000L);
            assertThat(cluster.faults).isEmpty();
        }
    }

    @Test
    void othersTakeOverFromALeaderWithAFailedLogAndItComesBack() {
        try (TestDisk disk = TestDisk.small(directory, 24);
                Cluster cluster = new Cluster(directory, 3)) {
            onOwnDisk(cluster, disk);
            cluster.startAll();
            cluster.write(0);
            cluster.leadBy("n1");
            disk.fill();
            for (long i = 1; i <= 40; i++) {
                cluster.write(i, 64 << 10);
            }
            assertThat(cluster.leader()).isNotEqualTo("n1");
            disk.empty();
            cluster.write(41);
            await().atMost(SOON).until(() -> cluster.states.get("n1").values().contains(41L));
            assertThat(cluster.status("n1").phase()).isEqualTo("running");
            assertThat(cluster.faults).isEmpty();
        }
    }

    @Test
    void opensAgainWhenTheStateFoundNoSpaceForAnEntry() {
        try (Cluster cluster = new Cluster(directory, 1)) {
            cluster.startAll();
            cluster.write(1);
            cluster.states.get("n1").diskFull = true;
            RatisLogHost host = cluster.hosts.get("n1");
            assertThatThrownBy(() -> get(host.append(cluster.group, entry(2, 8))))
                    .isInstanceOfSatisfying(
                            LogException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNKNOWN));
            assertThatThrownBy(() -> get(host.append(cluster.group, entry(-1, 8))))
                    .isInstanceOf(LogException.class);
            cluster.states.get("n1").diskFull = false;
            cluster.write(3);
            assertThat(cluster.states.get("n1").values())
                    .startsWith(1L, 2L)
                    .doesNotContain(-1L)
                    .endsWith(3L);
            assertThat(cluster.faults).isEmpty();
        }
    }

    @Test
    void opensAgainWhenTheStateFoundNoSpaceForASnapshot() {
        try (Cluster cluster = new Cluster(directory, 1)) {
            cluster.startAll();
            cluster.write(1);
            JournalState state = cluster.states.get("n1");
            state.diskFull = true;
            int restores = state.restores.get();
            RatisLogHost host = cluster.hosts.get("n1");
            host.snapshot(cluster.group);
            await().atMost(SOON).until(() -> state.restores.get() > restores);
            state.diskFull = false;
            cluster.write(2);
            get(host.snapshot(cluster.group));
            assertThat(state.snapshots.get()).isOne();
            assertThat(state.values()).startsWith(1L).endsWith(2L);
            assertThat(cluster.faults).isEmpty();
        }
    }

    @Test
    void leaderWithAHungDiskHandsOver() {
        try (TestDisk disk = TestDisk.freezable(directory, 64);
                Cluster cluster = new Cluster(directory, 3)) {
            onOwnDisk(cluster, disk);
            cluster.config = c -> Configs.timeouts(c, Duration.ofSeconds(20), Duration.ofSeconds(2));
            cluster.startAll();
            cluster.write(0);
            cluster.leadBy("n1");
            RatisLogHost hung = cluster.hosts.get("n1");
            CompletionStage<byte[]> waiting;
            disk.freeze();
            try {
                waiting = hung.append(cluster.group, entry(1, 1000));
                await().atMost(Duration.ofSeconds(15))
                        .until(() -> waiting.toCompletableFuture().isCompletedExceptionally());
                assertThatThrownBy(() -> get(waiting))
                        .isInstanceOfSatisfying(
                                LogException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNKNOWN));
                await().atMost(SOON).until(() -> !cluster.leader().equals("n1"));
                assertThat(hung.stalls()).isPositive();
                assertThat(cluster.hosts.get(cluster.leader()).stalls()).isZero();
                cluster.write(2);
                assertThatThrownBy(() -> get(hung.append(cluster.group, entry(3, 8))))
                        .isInstanceOf(LogException.class);
                assertThat(hung.status(cluster.group)).isPresent();
            } finally {
                disk.thaw();
            }
            await().atMost(SOON).until(() -> cluster.states.get("n1").values().contains(2L));
            assertThat(cluster.faults).isEmpty();
        }
    }

    private static void onOwnDisk(Cluster cluster, TestDisk disk) {
        cluster.directories.put("n1", disk.path().resolve("n1"));
    }

    /** Appends a value until it is refused since free space is below the reserve. */
    private static void awaitFull(RatisLogHost host, Cluster cluster, long value) {
        await().atMost(SOON)
                .untilAsserted(() -> assertThatThrownBy(() -> get(host.append(cluster.group, entry(value, 8))))
                        .isInstanceOfSatisfying(
                                LogException.class, e -> assertThat(e.kind()).isEqualTo(Kind.DISK_FULL))
                        .hasMessageContaining("diskReserveBytes"));
    }

    private static boolean succeeds(CompletionStage<byte[]> reply) {
        try {
            get(reply);
            return true;
        } catch (LogException e) {
            return false;
        }
    }
}
