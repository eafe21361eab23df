package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.feed.FeedDirectory;
import dev.weir.partition.feed.PartitionFeed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** How often leaders are asked for the first time that a stream may tell. */
final class ResolvingTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Asked asked = new Asked();
    private final Resolving resolving = new Resolving(asked);

    @Test
    void whoComesWhileAQuestionIsOnItsWaySharesTheNextOne() {
        CompletableFuture<Long> first = floor(SECOND);
        CompletableFuture<Long> second = floor(SECOND);
        CompletableFuture<Long> third = floor(Duration.ofMillis(100));
        assertThat(asked.answers).hasSize(1);

        asked.answers.getFirst().complete(7L);
        assertThat(first).isCompletedWithValue(7L);
        assertThat(second).as("7 may be from before it asked").isNotDone();
        assertThat(asked.answers).hasSize(2);
        assertThat(asked.ages).containsExactly(SECOND, Duration.ofMillis(100));

        CompletableFuture<Long> fourth = floor(SECOND);
        asked.answers.get(1).complete(9L);
        assertThat(second).isCompletedWithValue(9L);
        assertThat(third).isCompletedWithValue(9L);
        assertThat(fourth).isNotDone();
        asked.answers.get(2).complete(11L);
        assertThat(fourth).isCompletedWithValue(11L);
        assertThat(asked.answers).hasSize(3);
    }

    @Test
    void aFailureFailsThoseWhoSharedItAndTheNextIsAsked() {
        CompletableFuture<Long> first = floor(SECOND);
        CompletableFuture<Long> second = floor(SECOND);
        asked.answers.getFirst().completeExceptionally(new IllegalStateException("no leader"));

        assertThat(first).isCompletedExceptionally();
        asked.answers.get(1).complete(9L);
        assertThat(second).isCompletedWithValue(9L);
        floor(SECOND);
        assertThat(asked.answers).as("nothing was on its way").hasSize(3);
    }

    private CompletableFuture<Long> floor(Duration interval) {
        return resolving.floor(3, interval).toCompletableFuture();
    }

    /** Leaders that answer when told to. */
    private static final class Asked implements FeedDirectory {
        private final List<CompletableFuture<Long>> answers = new ArrayList<>();
        private final List<Duration> ages = new ArrayList<>();

        @Override
        public CompletionStage<Long> resolve(int partition, Duration age) {
            ages.add(age);
            answers.add(new CompletableFuture<>());
            return answers.getLast();
        }

        @Override
        public SortedSet<Integer> partitions() {
            return new TreeSet<>();
        }

        @Override
        public Optional<PartitionFeed> feed(int partition) {
            return Optional.empty();
        }

        @Override
        public CompletionStage<Long> committedNextSeq(int partition) {
            return CompletableFuture.completedFuture(1L);
        }

        @Override
        public AutoCloseable onChange(Runnable listener) {
            return () -> {};
        }
    }
}
