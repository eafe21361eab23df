package dev.weir.cdc;

import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.HistoryCursor;

/** Where a stream is to begin. */
sealed interface Start {
    /** With tables, not in the log. */
    default boolean isHistory() {
        return this instanceof Snapshot || this instanceof Within;
    }

    /** After all that is committed when the request arrives. */
    record Now() implements Start {}

    /** At the oldest event kept. */
    record Earliest() implements Start {}

    record At(Cursor cursor) implements Start {}

    /** With the tables as they stand, then what changes after. */
    record Snapshot() implements Start {}

    /** In the middle of tables as they stood. */
    record Within(HistoryCursor cursor) implements Start {}

    /** As asked for, and from files where the log does not reach back so far. */
    record Backfill(Start from) implements Start {}

    /** At the first events committed at or after a time. */
    record Since(long committedAtNanos) implements Start {}
}
