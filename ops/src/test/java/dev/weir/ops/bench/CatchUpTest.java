package dev.weir.ops.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class CatchUpTest {
    @Test
    void isAMeasureOnlyWhereAllCameEquallyFar() {
        assertThat(CatchUp.of(List.of(7L, 7L), List.of()).isWhole()).isTrue();
        assertThat(CatchUp.of(List.of(7L, 7L), List.of()).events()).isEqualTo(14);
        CatchUp behind = CatchUp.of(List.of(7L, 5L, 6L), List.of());
        assertThat(behind.isWhole()).isFalse();
        assertThat(behind)
                .hasToString("subscribers came to between 5 and 7 events, expected all to the same; no stream ended");
        CatchUp brokenOff = CatchUp.of(List.of(7L, 7L), List.of("connection reset", "x"));
        assertThat(brokenOff.isWhole()).isFalse();
        assertThat(brokenOff.toString()).endsWith("2 streams ended: connection reset");
    }
}
