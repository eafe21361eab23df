package dev.weir.wal.ratis;

import static dev.weir.wal.ratis.Cluster.SOON;
import static dev.weir.wal.ratis.Cluster.entry;
import static dev.weir.wal.ratis.Cluster.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.wal.LogException;
import dev.weir.wal.LogException.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an append is told that was not acknowledged, and that nothing hangs. */
class AdmissionTest {
    @TempDir
    Path directory;

    @Test
    void boundsTheBytesThatWaitAndAnswersInTime() {
        try (Cluster cluster = new Cluster(directory, 1)) {
            cluster.config =
                    c -> Configs.timeouts(Configs.pending(c, 1 << 20), Duration.ofSeconds(3), Duration.ofSeconds(20));
            cluster.startAll();
            cluster.write(0);
            RatisLogHost host = cluster.hosts.get("n1");
            JournalState state = cluster.states.get("n1");
            state.applyGate = new CountDownLatch(1);
            List<CompletableFuture<byte[]>> replies = new ArrayList<>();
            for (int i = 1; i <= 20; i++) {
                replies.add(host.append(cluster.group, entry(i, 100_000)).toCompletableFuture());
            }
            List<Kind> kinds = replies.stream().map(AdmissionTest::kind).toList();
            assertThat(kinds.subList(0, 10)).containsOnly(Kind.UNKNOWN);
            assertThat(kinds.subList(10, 20)).containsOnly(Kind.OVERLOADED);
            state.applyGate.countDown();
            cluster.write(21);
            assertThat(state.values()).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 21L);
        }
    }

    @Test
    void leaderWithoutAQuorumRefusesSoonAndNothingRefusedComesBack() {
        try (Cluster cluster = new Cluster(directory, 3).startAll()) {
            cluster.write(0);
            String leader = cluster.leader();
            RatisLogHost alone = cluster.hosts.get(leader);
            cluster.nodes().stream()
                    .filter(node -> !node.equals(leader))
                    .forEach(node -> cluster.hosts
                            .get(node)
                            .close(cluster.group)
                            .toCompletableFuture()
                            .join());
            List<Long> refused = new ArrayList<>();
            long[] value = {1};
            await().atMost(SOON).until(() -> {
                long next = value[0]++;
                CompletableFuture<byte[]> reply =
                        alone.append(cluster.group, entry(next, 8)).toCompletableFuture();
                boolean answered = reply.isDone();
                Kind kind = kind(reply);
                if (kind != Kind.UNKNOWN) {
                    refused.add(next);
                }
                return answered && kind == Kind.UNAVAILABLE;
            });
            cluster.nodes().stream()
                    .filter(node -> !node.equals(leader))
                    .forEach(node -> cluster.open(node, cluster.members(cluster.nodes())));
            cluster.write(1_000);
            assertThat(cluster.states.get(cluster.leader()).values()).doesNotContainAnyElementsOf(refused);
        }
    }

    private static Kind kind(CompletableFuture<byte[]> reply) {
        try {
            get(reply);
            return null;
        } catch (LogException e) {
            return e.kind();
        }
    }
}
