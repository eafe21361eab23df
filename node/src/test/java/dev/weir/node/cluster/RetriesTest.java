package dev.weir.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class RetriesTest {
    private final Retries retries = new Retries();

    @Test
    void waitsLongerAfterEachFailureUpToALimit() {
        retries.failed("a", 0);
        assertThat(retries.waits("a", seconds(1) - 1)).isTrue();
        assertThat(retries.waits("a", seconds(1))).isFalse();

        retries.failed("a", 0);
        assertThat(retries.waits("a", seconds(2) - 1)).isTrue();
        for (int i = 0; i < 20; i++) {
            retries.failed("a", 0);
        }
        assertThat(retries.waits("a", seconds(30) - 1)).isTrue();
        assertThat(retries.waits("a", seconds(30))).isFalse();
    }

    @Test
    void successForgets() {
        retries.failed("a", 0);
        retries.succeeded("a");

        assertThat(retries.waits("a", 0)).isFalse();
        assertThat(retries.waiting(0)).isEmpty();
    }

    private static long seconds(long seconds) {
        return TimeUnit.SECONDS.toNanos(seconds);
    }
}
