package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.GroupMember;
import dev.weir.partition.catalog.MemberStream;
import dev.weir.partition.catalog.SubscriptionBudget;
import dev.weir.partition.catalog.SubscriptionRecord;
import dev.weir.partition.model.Cursor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node's streams of members, without anybody who gives up nodes. */
class MemberStreamsTest {
    private static final SubscriptionConfig CONFIG = SubscriptionConfig.of(
            3, Duration.ofSeconds(100), new HistoryLimits(1_000, Duration.ofDays(36_500), 4_000, partition -> true));

    private final MemoryCluster cluster = MemoryCluster.of(2);
    private final MemberStreams streams = new MemberStreams(
            "a", cluster.catalog(), new Lineage(cluster.catalog(), cluster, Duration.ofSeconds(1)), CONFIG);

    @BeforeEach
    void make() {
        Cursor start = new Cursor(new TreeMap<>(Map.of(0, 1L, 1, 1L)));
        cluster.fold(new CatalogCommand.PutSubscription(
                SubscriptionRecord.made("default", "work", new TreeMap<>(), "now", start, SubscriptionBudget.NONE, 0),
                9));
    }

    @AfterEach
    void close() {
        streams.close();
    }

    private void join(String node, String stream) {
        cluster.fold(new CatalogCommand.JoinGroup(
                "default", "work", "m1", new MemberStream(node, stream), new TreeSet<>(List.of(0, 1)), 9));
    }

    private GroupMember member() {
        return cluster.catalog()
                .image()
                .subscription("default", "work")
                .orElseThrow()
                .group()
                .members()
                .get("m1");
    }

    /** As where an entry that lets a stream join is under way longer than the word that it has ended. */
    @Test
    void streamsOfThisNodeThatItDoesNotServeEnd() {
        join("a", "first");
        join("a", "second");
        streams.start();
        await().until(() -> !member().stream().open() && !member().waiting().open());
    }

    @Test
    void streamsOfOtherNodesAreNotItsToEnd() {
        join("b", "first");
        join("a", "second");
        streams.start();
        await().until(() -> !member().waiting().open());
        assertThat(member().stream()).isEqualTo(new MemberStream("b", "first"));
    }
}
