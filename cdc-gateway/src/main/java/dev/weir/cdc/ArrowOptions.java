package dev.weir.cdc;

import java.time.Duration;

/**
 * How a stream of record batches is cut.
 *
 * @param rowsMax {@code max_rows}: of a batch
 * @param waitMax {@code max_wait_ms}: an event waits at most so long for others to share its batch; zero sends at once what there is
 * @param wire what batches look like to the carrier; readers share them whatever it is
 */
record ArrowOptions(StreamLayout layout, boolean isZstd, int rowsMax, Duration waitMax, ArrowWire wire) {
    static final int ROWS_MAX = 8_192;
    static final int ROWS_LIMIT = 65_536;
    static final Duration WAIT_LIMIT = Duration.ofSeconds(10);

    ArrowOptions over(ArrowWire carrier) {
        return new ArrowOptions(layout, isZstd, rowsMax, waitMax, carrier);
    }

    ArrowForm form(RunKey key) {
        return new ArrowForm(key, layout, isZstd, rowsMax);
    }
}
