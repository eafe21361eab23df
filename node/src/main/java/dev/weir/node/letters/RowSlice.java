package dev.weir.node.letters;

import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import java.util.List;

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
     * @param all no other row was left out; else of the last time some may be
     * @throws RefusedException there are so many rows of one time that not all of them were read
     */
    static RowSlice of(List<WholeRow> read, boolean all, Cursor cut) {
        if (all) {
            return new RowSlice(read, cut, false);
        }
        long last = read.getLast().timeNanos();
        List<WholeRow> whole =
                read.stream().filter(row -> row.timeNanos() < last).toList();
        if (whole.isEmpty()) {
            throw new RefusedException(Refusal.of(
                    ErrorCode.TOO_LARGE,
                    "expected at most " + RowReading.ROWS_MAX + " rows and " + RowReading.BYTES_MAX
                            + " bytes of one time, found more of " + last + " ns: name tags, too"));
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
