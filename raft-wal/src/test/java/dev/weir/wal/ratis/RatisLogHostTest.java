package dev.weir.wal.ratis;

import static dev.weir.wal.ratis.Cluster.SOON;
import static dev.weir.wal.ratis.Cluster.entry;
import static dev.weir.wal.ratis.Cluster.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.wal.LogException;
import dev.weir.wal.LogGroupId;
import dev.weir.wal.LogStatus;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One cluster of three for what leaves it whole. */
class RatisLogHostTest {
    @TempDir
    static Path directory;

    static Cluster cluster;

    @BeforeAll
    static void start() {
        cluster = new Cluster(directory, 3);
        // Nobody fails here, so a busy machine must not make it look so.
        cluster.config = c -> Configs.elections(c, Duration.ofSeconds(3), Duration.ofSeconds(5));
        cluster.startAll();
    }

    @AfterAll
    static void stop() {
        cluster.close();
        assertThat(cluster.faults).isEmpty();
    }

    @Test
    void appliesInTheOrderOfAppendsEverywhere() {
        String leader = cluster.leader();
        List<CompletionStage<byte[]>> replies = new ArrayList<>();
        for (long i = 0; i < 500; i++) {
            replies.add(cluster.hosts.get(leader).append(cluster.group, entry(1000 + i, 100)));
        }
        for (int i = 0; i < 500; i++) {
            ByteBuffer reply = ByteBuffer.wrap(get(replies.get(i)));
            assertThat(reply.getLong()).isPositive();
            assertThat(reply.getLong()).isEqualTo(1000 + i);
        }
        List<Long> expected = LongStream.range(1000, 1500).boxed().toList();
        for (String node : cluster.nodes()) {
            await().atMost(SOON)
                    .until(() -> cluster.states.get(node).values().stream()
                            .filter(v -> v >= 1000 && v < 1500)
                            .toList()
                            .equals(expected));
        }
        List<JournalState.Line> onLeader = cluster.states.get(leader).lines();
        assertThat(cluster.states.get(cluster.follower()).lines()).containsAll(onLeader.subList(0, 500));
        assertThat(onLeader.getLast().clockNanos()).isGreaterThan(1_700_000_000_000_000_000L);
    }

    @Test
    void followerRefusesAndNamesTheLeader() {
        String leader = cluster.leader();
        String follower = cluster.follower();
        assertThatThrownBy(() -> get(cluster.hosts.get(follower).append(cluster.group, entry(1, 8))))
                .isInstanceOfSatisfying(LogException.class, e -> {
                    assertThat(e.kind()).isEqualTo(LogException.Kind.NOT_LEADER);
                    assertThat(e.leader()).isEqualTo(leader);
                });
    }

    @Test
    void refusesOversizeAndKeepsItsLeader() {
        String leader = cluster.leader();
        long term = cluster.status(leader).term();
        assertThatThrownBy(() -> get(cluster.hosts.get(leader).append(cluster.group, entry(1, (1 << 20) + 1))))
                .isInstanceOfSatisfying(
                        LogException.class, e -> assertThat(e.kind()).isEqualTo(LogException.Kind.TOO_LARGE))
                .hasMessageContaining("entryBytesMax");
        get(cluster.hosts.get(leader).append(cluster.group, entry(2, 1 << 20)));
        assertThat(cluster.status(leader).term()).isEqualTo(term);
        assertThat(cluster.leader()).isEqualTo(leader);
    }

    @Test
    void refusesUnknownGroup() {
        LogGroupId unknown = new LogGroupId(UUID.randomUUID());
        RatisLogHost host = cluster.hosts.get("n1");
        assertThat(host.status(unknown)).isEmpty();
        assertThatThrownBy(() -> get(host.append(unknown, entry(1, 8))))
                .isInstanceOfSatisfying(
                        LogException.class, e -> assertThat(e.kind()).isEqualTo(LogException.Kind.NO_SUCH_GROUP));
        assertThatThrownBy(() -> get(host.linearize(unknown))).isInstanceOf(LogException.class);
        get(host.close(unknown));
    }

    @Test
    void linearizesOnEveryReplica() {
        for (long i = 0; i < 20; i++) {
            long value = 5000 + i;
            get(cluster.hosts.get(cluster.leader()).append(cluster.group, entry(value, 8)));
            for (String node : cluster.nodes()) {
                get(cluster.hosts.get(node).linearize(cluster.group));
                assertThat(cluster.states.get(node).values()).contains(value);
            }
        }
    }

    @Test
    void statusTellsRolesAndMembers() {
        String leader = cluster.leader();
        LogStatus status = cluster.status(leader);
        assertThat(status.role()).isEqualTo(LogStatus.Role.LEADER);
        assertThat(status.leader()).isEqualTo(leader);
        assertThat(status.phase()).isEqualTo("running");
        assertThat(status.followers()).hasSize(2).doesNotContainKey(leader);
        assertThat(status.members()).isEqualTo(cluster.members(cluster.nodes()));
        assertThat(status.appliedIndex()).isLessThanOrEqualTo(status.committedIndex());
        assertThat(status.leaderChanges()).isPositive();
        assertThat(cluster.states.get(leader).leads()).isTrue();
        String follower = cluster.follower();
        await().atMost(SOON).untilAsserted(() -> {
            LogStatus other = cluster.status(follower);
            assertThat(other.role()).isEqualTo(LogStatus.Role.FOLLOWER);
            assertThat(other.leader()).isEqualTo(leader);
            assertThat(other.leads()).isFalse();
            assertThat(cluster.states.get(follower).told.getLast().leader()).isEqualTo(leader);
        });
    }

    @Test
    void handsLeadershipToTheNamedVoter() {
        String follower = cluster.follower();
        cluster.leadBy(follower);
        cluster.write(77);
        assertThatThrownBy(() -> get(cluster.hosts.get(follower).transferLeadership(cluster.group, "nobody")))
                .isInstanceOf(LogException.class);
        cluster.write(78);
    }
}
