package dev.weir.partition.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.partition.store.StoreException.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class RetriesTest {
    private static final RetryConfig CONFIG = new RetryConfig(
            Duration.ofMinutes(10), Duration.ofMillis(100), Duration.ofMinutes(1), Duration.ofSeconds(5));

    private final StoreMetrics metrics = new StoreMetrics();
    private final List<Duration> slept = new ArrayList<>();
    private final List<Long> backoffs = new ArrayList<>();
    private long now;

    private final Retries retries =
            new Retries(CONFIG, metrics, new Retries.Pace(() -> now, this::sleep, new Random(1)));

    @Test
    void delaysDoubleWithJitterUpToTheLongest() throws Exception {
        int[] left = {16};
        assertThat(retries.run("put k", () -> {
                    if (left[0]-- > 0) {
                        throw failure(Kind.UNAVAILABLE, true);
                    }
                    return "done";
                }))
                .isEqualTo("done");
        long full = 100;
        for (Duration delay : slept) {
            assertThat(delay.toMillis()).isBetween(full / 2 - 1, full);
            full = Math.min(2 * full, 60_000);
        }
        assertThat(slept.getLast()).isGreaterThanOrEqualTo(Duration.ofSeconds(30));
        assertThat(backoffs.getLast()).isEqualTo(slept.getLast().toMillis());
        assertThat(metrics.retries()).isEqualTo(16);
        assertThat(metrics.requests()).isEqualTo(17);
        assertThat(metrics.backoffMs()).isZero();
        assertThat(metrics.waiting()).isZero();
    }

    @Test
    void noTryBeginsBeyondTheBudget() {
        assertThatThrownBy(() -> retries.run("put k", () -> {
                    throw failure(Kind.UNAVAILABLE, true);
                }))
                .isInstanceOf(StoreException.class)
                .hasMessageMatching("put k: gone, after [0-9]+ tries in 5[0-9]{2} s");
        assertThat(Duration.ofNanos(now)).isBetween(Duration.ofMinutes(8), Duration.ofMinutes(10));
    }

    @Test
    void whatIsFinalIsNotTriedAgain() {
        assertThatThrownBy(() -> retries.run("get k", () -> {
                    throw failure(Kind.NOT_FOUND, false);
                }))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NOT_FOUND))
                .hasMessage("get k: gone");
        assertThat(slept).isEmpty();
        assertThat(metrics.errors()).as("an answer is no error").isZero();
    }

    private void sleep(Duration time) {
        slept.add(time);
        backoffs.add(metrics.backoffMs());
        assertThat(metrics.waiting()).isEqualTo(1);
        now += time.toNanos();
    }

    private static RequestFailure failure(Kind kind, boolean isTransient) {
        return new RequestFailure(kind, isTransient, "gone", new IOException("gone"));
    }
}
