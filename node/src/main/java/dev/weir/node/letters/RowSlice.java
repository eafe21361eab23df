package dev.weir.node.letters;

import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import java.util.List;
import java.util.OptionalLong;

/**
 * The oldest rows of a range, as of one cut: all that it has of these times.
 *
 * @param rows by time
 * @param cut what they reflect
 * @param more there are later ones
 */
record RowSlice(List<WholeRow> rows, Cursor cut, boolean more) {
    RowSlice {
        rows = List.copyOf(rows);
    }

    /**
     * @param read the oldest rows, by time
     * @param next the time of the first row that was not read; empty: all were
     * @throws RefusedException there are so many rows of one time that not all of them were read
     */
    static RowSlice of(List<WholeRow> read, OptionalLong next, Cursor cut) {
        if (next.isEmpty()) {
            return new RowSlice(read, cut, false);
        }
        long left = next.getAsLong();
        List<WholeRow> whole =
                read.stream().filter(row -> row.timeNanos() < left).toList();
        if (whole.isEmpty()) {
            throw new RefusedException(Refusal.of(
                    ErrorCode.TOO_LARGE,
                    "expected at most " + RowReading.ROWS_MAX + " rows and " + RowReading.BYTES_MAX
                            + " bytes of one time, found more of " + left + " ns: name tags, too"));
        }
        return new RowSlice(whole, cut, true);
    }

    long fromNanos() {
        return rows.getFirst().timeNanos();
    }

    long toNanos() {
        return rows.getLast().timeNanos();
    }
}
