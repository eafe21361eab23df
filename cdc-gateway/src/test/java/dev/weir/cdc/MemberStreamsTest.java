package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.CatalogReply;
import dev.weir.partition.catalog.GroupMember;
import dev.weir.partition.catalog.MemberStream;
import dev.weir.partition.catalog.SubscriptionBudget;
import dev.weir.partition.catalog.SubscriptionRecord;
import dev.weir.partition.model.Cursor;
import io.vertx.core.MultiMap;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node's streams of members, without anybody who gives up nodes. */
class MemberStreamsTest {
    private static final SubscriptionConfig CONFIG = SubscriptionConfig.of(
            3, Duration.ofSeconds(100), new HistoryLimits(1_000, Duration.ofDays(36_500), 4_000, partition -> true));

    private final MemoryCluster cluster = MemoryCluster.of(2);
    private final FaultyCatalog catalog = new FaultyCatalog(cluster.catalog());
    private final MemberStreams streams =
            new MemberStreams("a", catalog, new Lineage(catalog, cluster, Duration.ofSeconds(1)), CONFIG);

    /** Throws as long as it is told to. */
    private static final class FaultyCatalog implements Catalog {
        private final Catalog whole;
        private final AtomicInteger thrown = new AtomicInteger();
        private volatile boolean faulty;

        FaultyCatalog(Catalog whole) {
            this.whole = whole;
        }

        @Override
        public CatalogImage image() {
            if (faulty) {
                thrown.incrementAndGet();
                throw new IllegalStateException("a fault");
            }
            return whole.image();
        }

        @Override
        public CompletionStage<CatalogReply> propose(CatalogCommand command) {
            return whole.propose(command);
        }

        @Override
        public CompletionStage<Void> linearize() {
            return whole.linearize();
        }

        @Override
        public AutoCloseable onChange(Consumer<CatalogImage> listener) {
            return whole.onChange(listener);
        }
    }

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
                "default",
                "work",
                "m1",
                new MemberStream(node, stream),
                CatalogCommand.Group.ANY_GENERATION,
                new TreeSet<>(List.of(0, 1)),
                9));
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
    void oneFaultIsNotTheEndOfLookingAfterThem() {
        join("a", "first");
        catalog.faulty = true;
        streams.start();
        await().until(() -> catalog.thrown.get() > 0);
        catalog.faulty = false;
        await().until(() -> !member().stream().open());
    }

    /** An earlier stream of the member is open elsewhere, for good. */
    @Test
    void whoWaitsWhenTheNodeStopsIsRefusedAndLeavesNothingBehind() {
        join("b", "first");
        StreamRequest whole =
                StreamRequestParser.parse("default", StreamFormat.SSE, MultiMap.caseInsensitiveMultiMap(), null);
        SubscriptionRecord work =
                catalog.image().subscription("default", "work").orElseThrow();
        CompletableFuture<Object> joining = CompletableFuture.supplyAsync(() -> streams.join(work, "m1", whole));
        await().until(() -> member().waiting().open());
        streams.close();
        assertThat(member().waiting().open()).isFalse();
        assertThat(joining)
                .failsWithin(Gateway.PATIENCE)
                .withThrowableOfType(ExecutionException.class)
                .withMessageContaining("the node is stopping");
    }

    /** Partition 7 is a child of 1, whose events come again; which partitions are ready was made out before. */
    @Test
    void theFirstMemberThatJoinsIsNotHandedWhatWasReadyBeforeASeek() {
        cluster.log(1).append(MemoryBatch.point("cpu", "a", 1, 1L));
        cluster.add(7, 2, List.of(1));
        cluster.end(1);
        cluster.fold(new CatalogCommand.SeekSubscription(
                "default", "work", new Cursor(new TreeMap<>(Map.of(0, 1L, 1, 2L)))));
        SubscriptionRecord before =
                catalog.image().subscription("default", "work").orElseThrow();
        StreamRequest whole =
                StreamRequestParser.parse("default", StreamFormat.SSE, MultiMap.caseInsensitiveMultiMap(), null);
        cluster.elsewhere =
                new CatalogCommand.SeekSubscription("default", "work", new Cursor(new TreeMap<>(Map.of(0, 1L, 1, 1L))));
        MemberStreams.Granted granted = streams.join(before, "m1", whole);

        assertThat(member().partitions()).isEmpty();
        granted.watch().finished();
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
