package dev.weir.query.sql.statement;

import dev.weir.partition.model.Publication;
import java.time.Duration;
import java.util.Optional;

/**
 * What {@code WITH (…)} and {@code SET …} say; what is empty was not said.
 *
 * @param retention how long rows are kept; zero: for good
 * @param strict rows may not add columns ({@code schema = 'strict'}; {@code 'open'} is false)
 * @param timeUnit what an integer in {@code time} counts
 * @param published as what others can read the table
 */
public record TableOptions(
        Optional<Duration> retention,
        Optional<Boolean> strict,
        Optional<TimeUnit> timeUnit,
        Optional<Publication> published) {
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
