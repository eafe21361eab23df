package dev.weir.partition.write;

import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import java.util.List;

/** What became of an {@link AppendRequest}. The same for a repeat as for the first. */
public sealed interface AppendOutcome {
    /**
     * Durable on a majority and applied. Every row not listed in {@code voided} is in table and stream.
     *
     * @param nextSeq one past the last event that this request caused (or, for a repeat, that the first caused); 0 when none
     * @param inserted rows that were new
     * @param updated rows whose series and timestamp existed
     * @param voided rows that were not stored, ascending
     */
    record Applied(long nextSeq, int inserted, int updated, List<VoidedRow> voided) implements AppendOutcome {}

    /** Nothing was or will be stored. A code of 503 or 507 means: try again, here or at another replica. */
    record Refused(Refusal refusal) implements AppendOutcome {}

    /** Whether the rows are or will be stored can't be told; a retry with the same batch id is safe. */
    record Unknown(String message) implements AppendOutcome {}

    /**
     * @param row index over all blocks of the request, in order
     * @param code WRONG_PARTITION rows are retried by the router and never reach a user
     */
    record VoidedRow(int row, VoidCause cause, ErrorCode code, String message) {}

    /** Why a row was not stored. */
    enum VoidCause {
        /** The partition no longer owns the slot; {@code epoch} of the map has moved. */
        WRONG_PARTITION,
        /** The row's table was dropped in this log. */
        TABLE_DROPPED,
        /** A limit on series. */
        LIMIT,
        /** What the request was decided by is not so any more. */
        CHANGED
    }
}
