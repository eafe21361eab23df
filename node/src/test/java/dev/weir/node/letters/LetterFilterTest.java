package dev.weir.node.letters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.partition.model.RefusedException;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LetterFilterTest {
    @Test
    void asksForAllWhereNothingIsNamed() {
        assertThat(LetterFilter.ALL.condition()).isEqualTo("true");
    }

    @Test
    void quotesWhatUsersGive() {
        LetterFilter filter = new LetterFilter(
                Optional.of("o'clock"),
                Optional.of("x' OR 'a' = 'a"),
                Optional.of(Instant.parse("2026-11-01T00:00:00Z")),
                Optional.of(Instant.parse("2026-11-02T00:00:00.000000001Z")));
        assertThat(filter.condition())
                .isEqualTo("time >= '2026-11-01T00:00:00Z' AND time < '2026-11-02T00:00:00.000000001Z'"
                        + " AND code = 'x'' OR ''a'' = ''a' AND measurement = 'o''clock'");
    }

    @Test
    void readsIdsOfLettersAlone() {
        assertThat(LetterId.parse("1796014426954245302.node-1.syntax").timeNanos())
                .isEqualTo(1796014426954245302L);
        assertThatThrownBy(() -> LetterId.parse("1' OR true --.n.syntax")).isInstanceOf(RefusedException.class);
        assertThatThrownBy(() -> LetterId.parse("")).isInstanceOf(RefusedException.class);
    }
}
