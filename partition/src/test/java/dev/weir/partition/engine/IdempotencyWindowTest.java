package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.write.AppendOutcome;
import dev.weir.partition.write.AppendOutcome.Applied;
import dev.weir.partition.write.AppendOutcome.Refused;
import dev.weir.partition.write.IdempotencyUnit;
import java.util.List;
import org.junit.jupiter.api.Test;

class IdempotencyWindowTest {
    private static final AppendOutcome DONE = new Applied(9, 1, 0, List.of());

    private final IdempotencyWindow window = new IdempotencyWindow();

    @Test
    void answersAChunkAsTheFirstTime() {
        window.remember(unit("k", 1, 0), DONE, 5);
        assertThat(window.find(unit("k", 1, 0), 6)).isEqualTo(DONE);
        assertThat(window.find(unit("k", 1, 1), 6)).isNull();
        assertThat(window.find(unit("other", 1, 0), 6)).isNull();
        assertThat(window.find(new IdempotencyUnit("other", "k", new byte[] {1}, 0), 6))
                .isNull();
    }

    @Test
    void refusesAKeyWithAnotherBody() {
        window.remember(unit("k", 1, 0), DONE, 5);
        assertThat(window.find(unit("k", 2, 0), 6))
                .isInstanceOfSatisfying(
                        Refused.class, no -> assertThat(no.refusal().code()).isEqualTo(ErrorCode.IDEMPOTENCY_MISMATCH));
    }

    @Test
    void forgetsAKeyOnceItsWindowIsOver() {
        window.remember(unit("k", 1, 0), DONE, 5);
        assertThat(window.find(unit("k", 1, 0), 5 + IdempotencyWindow.AGE_NANOS))
                .isEqualTo(DONE);
        assertThat(window.find(unit("k", 2, 0), 6 + IdempotencyWindow.AGE_NANOS))
                .isNull();
        window.remember(unit("k", 2, 0), DONE, 6 + IdempotencyWindow.AGE_NANOS);
        assertThat(window.units()).isEqualTo(1);
    }

    @Test
    void holdsABoundedNumberOfUnits() {
        for (int i = 0; i < IdempotencyWindow.UNITS_MAX + 500; i++) {
            window.remember(unit("key-" + i, 1, 0), DONE, i);
        }
        assertThat(window.units()).isLessThanOrEqualTo(IdempotencyWindow.UNITS_MAX);
        assertThat(window.find(unit("key-0", 1, 0), 600)).isNull();
        assertThat(window.find(unit("key-" + (IdempotencyWindow.UNITS_MAX + 499), 1, 0), 600))
                .isEqualTo(DONE);
        window.evict(3);
        assertThat(window.units()).isEqualTo(3);
    }

    private static IdempotencyUnit unit(String key, int body, int chunk) {
        return new IdempotencyUnit("t", key, new byte[] {(byte) body}, chunk);
    }
}
