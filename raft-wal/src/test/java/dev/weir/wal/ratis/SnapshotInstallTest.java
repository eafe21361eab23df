package dev.weir.wal.ratis;

import static dev.weir.wal.ratis.Cluster.SOON;
import static dev.weir.wal.ratis.Cluster.entry;
import static dev.weir.wal.ratis.Cluster.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.wal.LogException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A follower was away for longer than the leader keeps its log. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SnapshotInstallTest {
    @TempDir
    Path directory;

    /** Writes until it is stopped; values are 1, 2, 3 … in the order of acknowledgement, none twice. */
    private static final class Writer implements AutoCloseable {
        private final AtomicBoolean running = new AtomicBoolean(true);
        private final AtomicLong acknowledged = new AtomicLong();
        private final Thread thread;

        Writer(Cluster cluster, int size) {
            thread = Thread.ofPlatform().start(() -> {
                while (running.get()) {
                    try {
                        get(cluster.hosts
                                .get(cluster.leader())
                                .append(cluster.group, entry(acknowledged.get() + 1, size)));
                        acknowledged.incrementAndGet();
                    } catch (LogException | NullPointerException e) {
                        Thread.onSpinWait();
                    }
                }
            });
        }

        long acknowledged() {
            return acknowledged.get();
        }

        @Override
        public void close() throws InterruptedException {
            running.set(false);
            thread.join(TimeUnit.SECONDS.toMillis(60));
        }
    }

    @Test
    void comesBackThroughOneSnapshotThenTheLogUnderContinuousWrites() throws Exception {
        try (Cluster cluster = new Cluster(directory, 3)) {
            cluster.config = c -> Configs.snapshotEvery(c, 1 << 20);
            cluster.startAll();
            String away = cluster.follower();
            cluster.write(0);
            cluster.stop(away);
            try (Writer writer = new Writer(cluster, 256 << 10)) {
                String leader = cluster.leader();
                await().atMost(SOON)
                        .until(() -> cluster.states.get(leader).snapshots.get() >= 10);
                cluster.startHost(away);
                JournalState state = new JournalState(away, cluster.folders);
                state.installGate = new CountDownLatch(1);
                cluster.states.put(away, state);
                get(cluster.hosts.get(away).open(cluster.group, cluster.members(cluster.nodes()), state));
                await().atMost(SOON).until(() -> cluster.status(away).phase().equals("installing-snapshot"));
                int snapshots = cluster.states.get(leader).snapshots.get();
                await().atMost(SOON)
                        .until(() -> cluster.states.get(leader).snapshots.get() >= snapshots + 4);
                state.installGate.countDown();
                await().atMost(SOON)
                        .until(() -> cluster.status(away).phase().equals("running")
                                && cluster.status(away).snapshotInstalls() >= 1);
                long then = writer.acknowledged();
                await().atMost(SOON).until(() -> writer.acknowledged() > then + 10);
            }
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(cluster.states.get(away).lines())
                            .isEqualTo(cluster.states.get(cluster.leader()).lines()));
            assertThat(cluster.status(away).snapshotInstalls()).isBetween(1L, 2L);
            assertThat(cluster.states.get(away).installs.get()).isLessThan(4);
            assertThat(cluster.faults).isEmpty();
        }
    }

    @Test
    void needsNoSnapshotAfterAShortAbsence() throws Exception {
        try (Cluster cluster = new Cluster(directory, 3)) {
            cluster.config = c -> Configs.snapshotEvery(c, 4 << 20);
            cluster.startAll();
            String away = cluster.follower();
            cluster.write(0);
            cluster.stop(away);
            String leader = cluster.leader();
            try (Writer writer = new Writer(cluster, 256 << 10)) {
                await().atMost(SOON)
                        .until(() -> cluster.states.get(leader).snapshots.get() >= 2);
            }
            cluster.start(away);
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(cluster.states.get(away).lines())
                            .isEqualTo(cluster.states.get(cluster.leader()).lines()));
            assertThat(cluster.states.get(away).installs).hasValue(0);
        }
    }
}
