package dev.weir.node.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A quiet log is moved on for who asks, by one tick at a time. */
class TicksTest {
    private static final long NOW = 1_800_000_000_000_000_000L;
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<CompletableFuture<Void>> appended = new ArrayList<>();
    private long resolvedAt;
    private final Ticks ticks = new Ticks(() -> resolvedAt, this::append, () -> Instant.ofEpochSecond(0, NOW));

    private CompletionStage<Void> append() {
        CompletableFuture<Void> tick = new CompletableFuture<>();
        appended.add(tick);
        return tick;
    }

    @Test
    void noneWhereSomethingWasCommittedLately() {
        resolvedAt = NOW - 999_999_999;
        assertThat(ticks.resolve(SECOND)).isCompletedWithValue(resolvedAt);
        resolvedAt = NOW + 5;
        assertThat(ticks.resolve(SECOND)).isCompletedWithValue(NOW + 5);
        assertThat(appended).isEmpty();
    }

    @Test
    void oneForAllWhoAskMeanwhile() {
        resolvedAt = NOW - 1_000_000_000;
        List<CompletionStage<Long>> answers = List.of(ticks.resolve(SECOND), ticks.resolve(SECOND));
        assertThat(appended).hasSize(1);
        assertThat(answers).noneMatch(answer -> answer.toCompletableFuture().isDone());
        resolvedAt = NOW + 1;
        appended.getFirst().complete(null);
        assertThat(answers).allSatisfy(answer -> assertThat(answer).isCompletedWithValue(NOW + 1));
    }

    @Test
    void anotherAfterOneThatFailed() {
        CompletionStage<Long> lost = ticks.resolve(SECOND);
        appended.getFirst().completeExceptionally(new IllegalStateException("not the leader any more"));
        assertThat(lost.toCompletableFuture()).isCompletedExceptionally();
        ticks.resolve(SECOND);
        assertThat(appended).hasSize(2);
    }
}
