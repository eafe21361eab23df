package dev.weir.cdc;

import java.time.Duration;

/**
 * How a stream of record batches is cut.
 *
 * @param rowsMax {@code max_rows}: of a batch
 * @param waitMax {@code max_wait_ms}: an event waits at most so long for others to share its batch; zero sends at once what there is
 */
record ArrowOptions(StreamLayout layout, boolean isZstd, int rowsMax, Duration waitMax) {
    static final int ROWS_MAX = 8_192;
    static final int ROWS_LIMIT = 65_536;
    static final Duration WAIT_LIMIT = Duration.ofSeconds(10);

    ArrowForm form(RunKey key) {
        return new ArrowForm(key, layout, isZstd, rowsMax);
    }
}
