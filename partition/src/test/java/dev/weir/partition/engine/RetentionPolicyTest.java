package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.model.Publication;
import dev.weir.partition.model.TableSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RetentionPolicyTest {
    private static final long NOW = Duration.ofDays(20_000).toNanos();
    private static final TableSettings WEEK = new TableSettings(Duration.ofDays(7), 1, Publication.NONE);
    private static final TableSettings MINUTE = new TableSettings(Duration.ofSeconds(60), 1, Publication.NONE);

    @Test
    void deletesOnceTheOldestIsOlderByTheInterval() {
        long kept = NOW - Duration.ofDays(7).toNanos();
        assertThat(due(WEEK, kept)).isEmpty();
        assertThat(due(WEEK, kept - Duration.ofMinutes(59).toNanos())).isEmpty();
        assertThat(due(WEEK, kept - Duration.ofMinutes(60).toNanos())).hasValue(kept - 1);
        assertThat(due(WEEK, Long.MIN_VALUE)).hasValue(kept - 1);
    }

    @Test
    void aShortRetentionIsKeptWithinAnEighthOfIt() {
        long kept = NOW - Duration.ofSeconds(60).toNanos();
        assertThat(due(MINUTE, kept - Duration.ofSeconds(7).toNanos())).isEmpty();
        assertThat(due(MINUTE, kept - Duration.ofSeconds(8).toNanos())).hasValue(kept - 1);
    }

    @Test
    void leavesWhatHasNoRowsOrIsKeptForGood() {
        assertThat(due(WEEK, Long.MAX_VALUE)).isEmpty();
        assertThat(due(TableSettings.DEFAULTS, Long.MIN_VALUE)).isEmpty();
        assertThat(due(new TableSettings(TableSettings.RETENTION_MAX, 1, Publication.NONE), Long.MIN_VALUE))
                .as("further back than any time")
                .isEmpty();
    }

    private static java.util.OptionalLong due(TableSettings settings, long oldestNanos) {
        return RetentionPolicy.DEFAULT.due(settings, oldestNanos, NOW);
    }
}
