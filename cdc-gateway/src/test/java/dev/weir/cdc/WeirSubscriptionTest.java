package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cdc.consumer.Outcome;
import dev.weir.cdc.consumer.StreamOptions;
import dev.weir.cdc.consumer.StreamRefusedException;
import dev.weir.cdc.consumer.WeirSubscription;
import dev.weir.partition.model.Cursor;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The client that we ship for named subscriptions, at two gateways; partitions 0 and 1 have seqs 1 to 5 each. */
class WeirSubscriptionTest {
    private final MemoryCluster cluster = MemoryCluster.of(2);
    private Gateway first;
    private Gateway second;

    @BeforeEach
    void open() throws Exception {
        CdcConfig config = CdcConfig.defaults().withHeartbeat(Duration.ofMillis(200));
        HistorySource history = new HistorySource(new MemoryHistory(cluster), HistoryConfig.DEFAULTS);
        first = new Gateway("a", cluster, cluster, config, history);
        second = new Gateway("b", cluster, cluster, config, history);
        append(5);
        assertThat(second.call("PUT", "/work", "{\"from\":\"earliest\"}").statusCode())
                .isEqualTo(201);
    }

    @AfterEach
    void close() throws Exception {
        first.close();
        second.close();
    }

    private void append(int each) {
        for (int i = 0; i < 2 * each; i++) {
            cluster.log(i % 2).append(MemoryBatch.point("cpu", "h", i, (long) i));
        }
    }

    private StreamOptions nodes() {
        return StreamOptions.of(first.base(), second.base());
    }

    private void seek(String to) throws Exception {
        assertThat(second.call("POST", "/work/seek", "{\"to\":\"" + to + "\"}").statusCode())
                .isEqualTo(200);
    }

    private static <T extends Outcome> T await(WeirSubscription work, Class<T> type) throws Exception {
        long deadline = System.nanoTime() + Gateway.PATIENCE.toNanos();
        while (System.nanoTime() - deadline < 0) {
            Outcome outcome = work.receive(Duration.ofMillis(200));
            if (type.isInstance(outcome)) {
                return type.cast(outcome);
            }
        }
        throw new AssertionError("no " + type.getSimpleName() + " came");
    }

    /** The next changes, as partition:seq; each is acknowledged if so wished. */
    private static List<String> take(WeirSubscription work, int count, boolean acknowledging) throws Exception {
        List<String> taken = new ArrayList<>();
        while (taken.size() < count) {
            Outcome.Change change = await(work, Outcome.Change.class);
            taken.add(change.head().partition() + ":" + change.head().seq());
            assertThat(change.source()).isEqualTo(Outcome.Source.LOG);
            assertThat(!acknowledging || work.acknowledge(change)).isTrue();
        }
        return taken;
    }

    private static List<String> all(int from, int to) {
        List<String> all = new ArrayList<>();
        for (int seq = from; seq <= to; seq++) {
            all.addAll(List.of("0:" + seq, "1:" + seq));
        }
        return all;
    }

    @Test
    void oneThatCrashesGoesOnFromWhatItAcknowledged() throws Exception {
        List<String> seen;
        try (WeirSubscription work = WeirSubscription.alone(nodes(), "work")) {
            assertThat(await(work, Outcome.Begun.class).partitions()).containsExactly(0, 1);
            seen = take(work, 4, true);
            take(work, 3, false);
            assertThat(work.awaitCommitted(Gateway.PATIENCE)).isTrue();
            assertThat(work.uncommittedFor()).isZero();
        }
        try (WeirSubscription work = WeirSubscription.alone(StreamOptions.of(second.base(), first.base()), "work")) {
            seen.addAll(take(work, 6, true));
        }
        assertThat(seen).containsExactlyInAnyOrderElementsOf(all(1, 5));
    }

    @Test
    void whatWasAcknowledgedAndNotCommittedDoesNotComeAgain() throws Exception {
        try (WeirSubscription work = WeirSubscription.alone(nodes(), "work")) {
            await(work, Outcome.Begun.class);
            assertThat(first.metric("weir.cdc.subscribers"))
                    .as("it begins at the first node")
                    .isEqualTo(1);
            cluster.quorum = false;
            List<String> seen = take(work, 6, true);
            take(work, 2, false);
            assertThat(work.awaitCommitted(Duration.ofMillis(300))).isFalse();
            assertThat(work.uncommittedFor()).isPositive();
            first.vertx.close().toCompletionStage().toCompletableFuture().get();
            await(work, Outcome.Begun.class);
            seen.addAll(take(work, 4, true));
            assertThat(seen).containsExactlyInAnyOrderElementsOf(all(1, 5));
            assertThat(work.duplicates()).isEqualTo(6);
            cluster.quorum = true;
            assertThat(work.awaitCommitted(Gateway.PATIENCE)).isTrue();
        }
        assertThat(second.call("GET", "/work", "").body()).contains("\"next\":{\"0\":6,\"1\":6}");
    }

    @Test
    void aQuietStreamsPlaceIsAcknowledgedToo() throws Exception {
        first.call("PUT", "/other", "{\"from\":\"earliest\",\"filter\":{\"measurement\":\"none\"}}");
        try (WeirSubscription work = WeirSubscription.alone(nodes(), "other")) {
            assertThat(work.acknowledge(await(work, Outcome.Progress.class))).isTrue();
            assertThat(work.awaitCommitted(Gateway.PATIENCE)).isTrue();
        }
        assertThat(second.call("GET", "/other", "").body()).contains("\"next\":{\"0\":6,\"1\":6}");
    }

    @Test
    void whatChildrenOfASplitGaveIsAcknowledgedByTheSameStream() throws Exception {
        try (WeirSubscription work = WeirSubscription.alone(nodes(), "work")) {
            take(work, 10, true);
            cluster.add(7, cluster.log(1).nextSeq(), List.of(1)).append(MemoryBatch.point("cpu", "child", 1, 1L));
            cluster.end(1);
            assertThat(take(work, 1, true).getFirst()).startsWith("7:");
            assertThat(work.awaitCommitted(Gateway.PATIENCE)).isTrue();
            assertThat(work.connects()).isEqualTo(1);
            long next = cluster.log(7).nextSeq();
            assertThat(second.call("GET", "/work", "").body()).contains("\"7\":" + next);
        }
    }

    @Test
    void membersShareAndWhatIsOfAnEndedStreamIsNotAcknowledged() throws Exception {
        try (WeirSubscription one = WeirSubscription.member(nodes(), "work", "m1")) {
            assertThat(await(one, Outcome.Begun.class).partitions()).containsExactly(0, 1);
            Outcome.Change last = await(one, Outcome.Change.class);
            try (WeirSubscription two = WeirSubscription.member(nodes(), "work", "m2")) {
                Outcome.Begun joined = await(two, Outcome.Begun.class);
                Outcome.Begun left = await(one, Outcome.Begun.class);
                assertThat(one.acknowledge(last)).isFalse();
                while (joined.partitions().isEmpty()) {
                    joined = await(two, Outcome.Begun.class);
                }
                while (left.partitions().size() != 1) {
                    left = await(one, Outcome.Begun.class);
                }
                List<String> seen = take(one, 5, true);
                seen.addAll(take(two, 5, true));
                assertThat(seen).containsExactlyInAnyOrderElementsOf(all(1, 5));
                assertThat(one.awaitCommitted(Gateway.PATIENCE)).isTrue();
                assertThat(two.awaitCommitted(Gateway.PATIENCE)).isTrue();
            }
        }
        assertThat(second.call("GET", "/work", "").body()).contains("\"next\":{\"0\":6,\"1\":6}");
    }

    /** One that reads alone tells a seek by the generation, a member by the place. */
    @Test
    void whatIsBehindASeekComesAgain() throws Exception {
        try (WeirSubscription work = WeirSubscription.alone(nodes(), "work")) {
            take(work, 10, true);
            seek("earliest");
            assertThat(take(work, 10, true)).containsExactlyInAnyOrderElementsOf(all(1, 5));
            assertThat(work.awaitCommitted(Gateway.PATIENCE)).isTrue();
        }
        try (WeirSubscription work = WeirSubscription.member(nodes(), "work", "m1")) {
            append(1);
            take(work, 2, true);
            assertThat(work.awaitCommitted(Gateway.PATIENCE)).isTrue();
            seek("earliest");
            assertThat(take(work, 12, true)).containsExactlyInAnyOrderElementsOf(all(1, 6));
        }
    }

    @Test
    void whatTheLogNoLongerHasIsSaid() throws Exception {
        try (WeirSubscription work = WeirSubscription.alone(nodes(), "work")) {
            await(work, Outcome.Begun.class);
            take(work, 1, false);
            cluster.logs.values().forEach(log -> log.trim(log.nextSeq()));
            first.vertx.close().toCompletionStage().toCompletableFuture().get();
            Outcome.Lost lost = await(work, Outcome.Lost.class);
            assertThat(lost.code()).isEqualTo("cursor_too_old");
            assertThat(Cursor.decode(lost.oldestCursor(), "default").next())
                    .isEqualTo(new TreeMap<>(Map.of(0, 6L, 1, 6L)));
            seek("latest");
            append(1);
            assertThat(take(work, 2, true)).containsExactlyInAnyOrderElementsOf(all(6, 6));
        }
    }

    @Test
    void whatIsRefusedForGoodIsThrown() throws Exception {
        try (WeirSubscription work = WeirSubscription.alone(nodes(), "none")) {
            assertThatThrownBy(() -> work.receive(Gateway.PATIENCE))
                    .isInstanceOfSatisfying(
                            StreamRefusedException.class,
                            e -> assertThat(e.status()).isEqualTo(404));
        }
        assertThatThrownBy(() -> WeirSubscription.member(nodes(), "work", "a b"))
                .hasMessageContaining("a member's name")
                .hasMessageContaining("a b");
        assertThatThrownBy(() -> WeirSubscription.alone(nodes(), "..")).hasMessageContaining("a letter or digit first");
    }

    /** The node does not end it, and its answer to the acknowledgement is the first that is heard. */
    @Test
    void leavesAStreamWhoseGenerationIsOver() throws Exception {
        try (ScriptedNode node = new ScriptedNode(1, 1);
                WeirSubscription work = WeirSubscription.member(StreamOptions.of(node.base()), "work", "m1")) {
            assertThat(await(work, Outcome.Begun.class).generation()).isEqualTo(1);
            assertThat(work.acknowledge(await(work, Outcome.Change.class))).isTrue();
            assertThat(await(work, Outcome.Begun.class).generation()).isEqualTo(2);
            assertThat(work.awaitCommitted(Gateway.PATIENCE)).isTrue();
            assertThat(node.acknowledged()).hasSizeGreaterThan(1);
            assertThat(node.streams()).isEqualTo(2);
        }
    }

    /** Nothing of what it acknowledged was committed by then: that the second stream begins before the first one tells it. */
    @Test
    void whatIsBehindASeekComesAgainThoughNothingWasCommitted() throws Exception {
        try (ScriptedNode node = new ScriptedNode(100, 1);
                WeirSubscription work = WeirSubscription.member(StreamOptions.of(node.base()), "work", "m1")) {
            assertThat(take(work, 1, true)).containsExactly("0:100");
            await(work, Outcome.Begun.class);
            assertThat(work.awaitCommitted(Gateway.PATIENCE))
                    .as("what was acknowledged was dropped")
                    .isFalse();
            assertThat(take(work, 1, true)).containsExactly("0:1");
            assertThat(work.awaitCommitted(Gateway.PATIENCE)).isTrue();
            assertThat(node.acknowledged().getLast()).contains("\"0:1\"").contains("\"generation\":2}");
        }
    }

    @Test
    void aDateToComeBackAtDoesNotEndAcknowledging() throws Exception {
        try (ScriptedNode node = new ScriptedNode(1, 1);
                WeirSubscription work = WeirSubscription.member(StreamOptions.of(node.base()), "work", "m1")) {
            node.refuseNext("Wed, 21 Oct 2026 07:28:00 GMT");
            take(work, 1, true);
            await(work, Outcome.Begun.class);
            assertThat(work.awaitCommitted(Gateway.PATIENCE)).isTrue();
        }
    }

    @Test
    void whatEndsAcknowledgingIsThrown() throws Exception {
        try (ScriptedNode node = new ScriptedNode(1, 1);
                WeirSubscription work = WeirSubscription.member(
                        StreamOptions.of(node.base(), URI.create("ftp://127.0.0.1")), "work", "m1")) {
            node.refuseNext("0");
            take(work, 1, true);
            assertThat(work.awaitCommitted(Gateway.PATIENCE)).isFalse();
            assertThatThrownBy(() -> work.receive(Gateway.PATIENCE))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("acknowledging has ended")
                    .hasMessageContaining("ftp");
        }
    }
}
