package dev.weir.node.ingest.write;

import dev.weir.node.ingest.rows.RowFault;
import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.ErrorCode;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What became of a body.
 *
 * @param bodyFault why none of it was taken; null where rows were looked at one by one
 * @param rows what became of each
 * @param commit past the last event of every partition that took rows; empty where none did
 * @param merged rows whose series and time existed, in the table or earlier in the body
 * @param far the rows whose time lies more than a year from now
 * @param refused the first of the rows that will never be stored as they are
 * @param droppedFields values that are no numbers, left out by the user's wish
 */
public record WriteResult(
        @Nullable RowFault bodyFault,
        RowReport rows,
        Optional<Cursor> commit,
        int merged,
        FarTimes far,
        List<Refused> refused,
        int droppedFields) {

    /**
     * A row refused for good.
     *
     * @param place where a reader of the body finds it again
     */
    public record Refused(int line, int place, ErrorCode code, String message) {}
}
