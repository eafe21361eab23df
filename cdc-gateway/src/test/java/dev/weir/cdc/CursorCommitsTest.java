package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.CursorCommit;
import dev.weir.partition.catalog.MemberStream;
import dev.weir.partition.catalog.SubscriptionBudget;
import dev.weir.partition.catalog.SubscriptionRecord;
import dev.weir.partition.model.Cursor;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CursorCommitsTest {
    private static final Duration INTERVAL = Duration.ofMillis(200);
    private static final SubscriptionConfig CONFIG = new SubscriptionConfig(
            3,
            INTERVAL,
            100,
            Duration.ofSeconds(2),
            4,
            new HistoryLimits(1_000, Duration.ofDays(36_500), 4_000, partition -> true));

    private final MemoryCluster cluster = MemoryCluster.of(2);
    private final CursorCommits commits = new CursorCommits(cluster.catalog(), CONFIG, Clock.systemUTC());

    /** Members m0 and m1 have partitions 0 and 1. */
    @BeforeEach
    void share() {
        Cursor start = new Cursor(new TreeMap<>(Map.of(0, 1L, 1, 1L)));
        cluster.fold(new CatalogCommand.PutSubscription(
                SubscriptionRecord.made("default", "work", new TreeMap<>(), "now", start, SubscriptionBudget.NONE, 0),
                9));
        join("m0");
        join("m1");
        cluster.fold(new CatalogCommand.EndMemberStream("default", "work", "m0", "m0"));
    }

    private void join(String member) {
        cluster.fold(new CatalogCommand.JoinGroup(
                "default",
                "work",
                member,
                new MemberStream("n", member),
                CatalogCommand.Group.ANY_GENERATION,
                new TreeSet<>(List.of(0, 1)),
                9));
    }

    private SubscriptionRecord now() {
        return cluster.catalog().image().subscription("default", "work").orElseThrow();
    }

    private CompletionStage<Void> commit(String member, int partition, long next) {
        long generation = SubscriptionDesk.generation(now(), member);
        return commits.commit(new CursorCommit("default", "work", member, generation, Cursor.of(partition, next)));
    }

    @Test
    void membersOfAGroupShareThePaceOfItsSubscription() {
        long begun = System.nanoTime();
        commit("m0", 0, 5).toCompletableFuture().join();
        commit("m1", 1, 7).toCompletableFuture().join();
        assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(INTERVAL.toNanos());
        assertThat(now().cursor().next()).isEqualTo(Map.of(0, 5L, 1, 7L));
    }
}
