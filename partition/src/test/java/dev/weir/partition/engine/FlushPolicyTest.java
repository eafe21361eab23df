package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.partition.engine.TableBuffers.TableBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class FlushPolicyTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long NEVER = Long.MIN_VALUE;

    private final FlushPolicy policy = new FlushPolicy(Duration.ofMinutes(15), 10_000, 1000, Duration.ofSeconds(5));

    @Test
    void waitsForAge() {
        assertThat(policy.isDue(buffer(1, 1, 0), 899 * SECOND, NEVER)).isFalse();
        assertThat(policy.isDue(buffer(1, 1, 0), 900 * SECOND, NEVER)).isTrue();
        assertThat(policy.isDue(buffer(1, 1, 0), 900 * SECOND, 899 * SECOND))
                .as("though it was flushed a moment ago")
                .isTrue();
    }

    @Test
    void holdsRowsBackForTheInterval() {
        assertThat(policy.isDue(buffer(9_999, 1, 0), SECOND, NEVER)).isFalse();
        assertThat(policy.isDue(buffer(10_000, 1, 0), SECOND, NEVER)).isTrue();
        assertThat(policy.isDue(buffer(10_000, 1, 0), 9 * SECOND, 5 * SECOND)).isFalse();
        assertThat(policy.isDue(buffer(10_000, 1, 0), 10 * SECOND, 5 * SECOND)).isTrue();
    }

    @Test
    void doesNotHoldBytesBack() {
        assertThat(policy.isDue(buffer(10, 999, 0), SECOND, SECOND)).isFalse();
        assertThat(policy.isDue(buffer(10, 1000, 0), SECOND, SECOND)).isTrue();
    }

    @Test
    void leavesAnEmptyBufferAlone() {
        assertThat(policy.isDue(buffer(0, 0, 0), 10_000 * SECOND, NEVER)).isFalse();
    }

    @Test
    void refusesLimitsThatMeanNothing() {
        assertThatThrownBy(() -> new FlushPolicy(Duration.ZERO, 1, 1, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("found PT0S");
    }

    private static TableBuffer buffer(long rows, long bytes, long firstCommittedAtNanos) {
        return new TableBuffer(1, rows, bytes, 1, firstCommittedAtNanos);
    }
}
