package dev.weir.node.letters;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.query.sql.image.TimeRange;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A range's own condition means the same range, at any time. */
class RowRangeTest {
    private static final long NOW = 1_796_014_426_954_245_302L;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "time >= 3",
                "time = -5 AND host = 'it''s'",
                "time > '2026-11-01T00:00:00.000000001Z' AND time <= now() - INTERVAL '1 hour'",
                "\"a \"\"b\" IN ('x', 'y') AND rack IS NULL",
                "host = 'a'",
                "time >= '1677-09-21T00:12:44Z'",
                "time <= '2262-04-11T23:47:16.854775807Z'",
            })
    void saysOfItselfWhatReadsAsTheSame(String condition) {
        RowRange range = RowRange.where("cpu", condition, NOW);
        assertThat(RowRange.where("cpu", range.condition(), NOW + 1_000_000_000L))
                .isEqualTo(range);
    }

    @ParameterizedTest
    @ValueSource(longs = {-9_223_372_036_000_000_000L, -1, 0, 1_796_014_426_954_245_302L, Long.MAX_VALUE})
    void namesEveryTime(long nanos) {
        RowRange range = new RowRange(new TimeRange(nanos, nanos), Map.of("host", List.of("a")));
        assertThat(RowRange.where("cpu", range.condition(), NOW)).isEqualTo(range);
    }
}
