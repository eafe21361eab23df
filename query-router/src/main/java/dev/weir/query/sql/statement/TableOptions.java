package dev.weir.query.sql.statement;

import java.time.Duration;
import java.util.Optional;

/**
 * What {@code WITH (…)} and {@code SET …} say; what is empty was not said.
 *
 * @param retention how long rows are kept; zero: for good
 * @param strict rows may not add columns ({@code schema = 'strict'}; {@code 'open'} is false)
 * @param timeUnit what an integer in {@code time} counts
 * @param published {@code delta}, or {@code none}
 */
public record TableOptions(
        Optional<Duration> retention,
        Optional<Boolean> strict,
        Optional<TimeUnit> timeUnit,
        Optional<String> published) {
    /** Units of integer times. */
    public enum TimeUnit {
        NS(1),
        US(1_000),
        MS(1_000_000),
        S(1_000_000_000);

        private final long nanos;

        TimeUnit(long nanos) {
            this.nanos = nanos;
        }

        public long nanos() {
            return nanos;
        }
    }

    public static final TableOptions NONE =
            new TableOptions(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
}
