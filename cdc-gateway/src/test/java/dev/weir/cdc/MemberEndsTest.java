package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.CatalogReply;
import dev.weir.partition.catalog.MemberStream;
import dev.weir.partition.catalog.SubscriptionBudget;
import dev.weir.partition.catalog.SubscriptionRecord;
import dev.weir.partition.model.Cursor;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node that comes back, of which the catalog has as many streams as an earlier process served. */
class MemberEndsTest {
    private static final int MAX = MemberEnds.OF_OTHERS_MAX;
    private static final int STREAMS = MAX + 20;

    private final MemoryCluster cluster = MemoryCluster.of(1);
    private final SlowCatalog catalog = new SlowCatalog(cluster.catalog());
    private final MemberEnds ends = new MemberEnds("a", catalog);

    /** Answers when it is told to. */
    private static final class SlowCatalog implements Catalog {
        private final Catalog whole;
        private final LinkedBlockingDeque<CatalogCommand> asked = new LinkedBlockingDeque<>();
        private final LinkedBlockingDeque<CompletableFuture<CatalogReply>> waiting = new LinkedBlockingDeque<>();

        SlowCatalog(Catalog whole) {
            this.whole = whole;
        }

        void answer(int count) {
            for (int i = 0; i < count; i++) {
                CatalogReply reply =
                        whole.propose(asked.remove()).toCompletableFuture().join();
                waiting.remove().complete(reply);
            }
        }

        @Override
        public CatalogImage image() {
            return whole.image();
        }

        @Override
        public CompletionStage<CatalogReply> propose(CatalogCommand command) {
            asked.add(command);
            CompletableFuture<CatalogReply> answer = new CompletableFuture<>();
            waiting.add(answer);
            return answer;
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
    void serve() {
        Cursor start = new Cursor(new TreeMap<>(Map.of(0, 1L)));
        cluster.fold(new CatalogCommand.PutSubscription(
                SubscriptionRecord.made("default", "work", new TreeMap<>(), "now", start, SubscriptionBudget.NONE, 0),
                9));
        for (int i = 0; i < STREAMS; i++) {
            cluster.fold(new CatalogCommand.JoinGroup(
                    "default",
                    "work",
                    "m" + i,
                    new MemberStream("a", "s" + i),
                    CatalogCommand.Group.ANY_GENERATION,
                    new TreeSet<>(List.of(0)),
                    STREAMS));
        }
    }

    private void look() {
        ends.sayOfOthersThan(Set.of(), catalog.image());
    }

    private long open() {
        return cluster
                .catalog()
                .image()
                .subscription("default", "work")
                .orElseThrow()
                .group()
                .members()
                .values()
                .stream()
                .filter(member -> member.stream().open())
                .count();
    }

    @Test
    void leavesRoomInTheCatalogsQueueAndSaysTheRestLater() {
        look();
        look();
        assertThat(catalog.asked).hasSize(MAX).doesNotHaveDuplicates();

        catalog.answer(10);
        look();
        assertThat(catalog.asked).hasSize(MAX).doesNotHaveDuplicates();
        while (!catalog.asked.isEmpty()) {
            catalog.answer(catalog.asked.size());
            look();
        }
        assertThat(open()).isZero();
    }

    @Test
    void aStreamThatEndsHereNeedNotWaitForThat() {
        look();
        ends.say("default", "work", "m9", "own");
        assertThat(catalog.asked).hasSize(MAX + 1);
        catalog.answer(1);
        look();
        assertThat(catalog.asked).hasSize(MAX);
    }
}
