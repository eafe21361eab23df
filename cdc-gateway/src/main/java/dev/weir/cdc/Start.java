package dev.weir.cdc;

import dev.weir.partition.model.Cursor;

/** Where a stream is to begin. */
sealed interface Start {
    /** After all that is committed when the request arrives. */
    record Now() implements Start {}

    /** At the oldest event kept. */
    record Earliest() implements Start {}

    record At(Cursor cursor) implements Start {}

    /** At the first events committed at or after a time. */
    record Since(long committedAtNanos) implements Start {}
}
