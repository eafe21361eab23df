package dev.weir.node.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.node.ingest.FoldingCatalog;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.SubscriptionBudget;
import dev.weir.partition.catalog.SubscriptionRecord;
import dev.weir.partition.engine.LogHold;
import dev.weir.partition.feed.FeedPage;
import dev.weir.partition.feed.PartitionFeed;
import dev.weir.partition.model.Cursor;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class SubscriptionHoldsTest {
    private static final long RETENTION = 1_000;
    private static final long HELD_MAX = 50_000;
    private static final long NOW = Duration.ofDays(20_000).toNanos();
    private static final Duration AGE = Duration.ofHours(2);

    private final FoldingCatalog catalog = new FoldingCatalog(2);
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private boolean space = true;
    private int full = -1;
    private final SubscriptionHolds holds = new SubscriptionHolds(
            catalog::image, RETENTION, HELD_MAX, partition -> space && partition != full, metrics);

    @Test
    void holdsFromTheCursorOnWhatTheBudgetAllows() {
        subscribe("a", 20_000, 7);

        assertThat(holds.of(new Feed(0, 1), NOW))
                .containsExactly(new LogHold(7, 20_000 / 2 - RETENTION, NOW - AGE.toNanos()));
    }

    @Test
    void aBudgetHoldsNoMoreThanTheNodeAllows() {
        subscribe("a", 1_000_000, 7);

        assertThat(holds.of(new Feed(0, 1), NOW)).extracting(LogHold::bytesMax).containsExactly(HELD_MAX - RETENTION);
    }

    @Test
    void holdsNothingWithoutABudgetNorForWhatIsLostNorOfOtherPartitions() {
        subscribe("none", 0, 7);
        subscribe("lost", 20_000, 7);

        assertThat(holds.of(new Feed(0, 8), NOW)).isEmpty();
        assertThat(holds.of(new Feed(2, 1), NOW)).isEmpty();
    }

    @Test
    void withoutSpaceNothingIsHeldAndThatIsSaidOnceForEachTime() {
        subscribe("a", 20_000, 7);
        assertThat(holds.mustGo(0, true)).isFalse();

        space = false;
        assertThat(holds.of(new Feed(0, 1), NOW)).isEmpty();
        assertThat(holds.mustGo(0, true)).isTrue();
        assertThat(holds.mustGo(0, true)).isFalse();
        assertThat(holds.mustGo(1, false)).isFalse();
        assertThat(holds.mustGo(1, true)).as("led from now on").isTrue();

        space = true;
        assertThat(holds.mustGo(0, true)).isFalse();
        space = false;
        assertThat(holds.mustGo(0, true)).isTrue();
    }

    @Test
    void aPartitionWhoseReplicasAreFullTakesNothingFromOthers() {
        subscribe("a", 20_000, 7);
        full = 1;

        assertThat(holds.of(new Feed(0, 1), NOW)).hasSize(1);
        assertThat(holds.of(new Feed(1, 1), NOW)).isEmpty();
        assertThat(holds.mustGo(0, true)).isFalse();
        assertThat(holds.mustGo(1, true)).isTrue();
    }

    @Test
    void countsThoseThatATrimLeavesBehind() {
        subscribe("a", 20_000, 7);
        subscribe("b", 20_000, 12);

        holds.trimmed(new Feed(0, 10), 1, 10);
        holds.trimmed(new Feed(0, 11), 10, 11);

        assertThat(metrics.counter("weir.cdc.subscription.lost").count()).isEqualTo(1);
    }

    private void subscribe(String name, long bytes, long next) {
        SubscriptionRecord made = SubscriptionRecord.made(
                "acme",
                name,
                new TreeMap<>(),
                "earliest",
                new Cursor(new TreeMap<>(Map.of(0, next, 1, next))),
                new SubscriptionBudget(bytes, AGE),
                1);
        catalog.propose(new CatalogCommand.PutSubscription(made, 100))
                .toCompletableFuture()
                .join();
    }

    /** Of which only the ends are asked. */
    private record Feed(int partition, long oldestSeq) implements PartitionFeed {
        @Override
        public long firstSeq() {
            return 1;
        }

        @Override
        public long nextSeq() {
            return 100;
        }

        @Override
        public long lastCommittedAtNanos() {
            return NOW;
        }

        @Override
        public long resolvedAtNanos() {
            return NOW;
        }

        @Override
        public FeedPage read(long fromSeq, int maxBytes) {
            return new FeedPage(List.of(), fromSeq, 100);
        }

        @Override
        public long seekTime(long committedAtNanos) {
            return 1;
        }

        @Override
        public long bytesFrom(long seq) {
            return 100 - seq;
        }

        @Override
        public AutoCloseable onAdvance(Runnable listener) {
            return () -> {};
        }

        @Override
        public boolean closed() {
            return false;
        }
    }
}
