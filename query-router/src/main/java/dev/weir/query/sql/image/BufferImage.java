package dev.weir.query.sql.image;

import dev.weir.query.sql.image.FileImage.SourceColumn;
import java.util.Map;

/**
 * Rows that are in no file yet, as Arrow batches.
 *
 * <p>Columns: "time" (Timestamp NANOSECOND without zone), {@code _seq} (Int 64), {@code _series_hash} (Int 64 unsigned), tags Utf8, fields
 * Int 64, Int 64 unsigned, FloatingPoint DOUBLE, Bool, Utf8; exactly those of {@code columns} besides the three. Order is free.
 *
 * @param times smallest and largest time of its rows
 * @param mayRepeat as in {@link FileImage}: a series and time of it may occur twice, here or elsewhere in the image
 * @param columns id of a column of the schema → what it is here; absent ones read NULL
 */
public record BufferImage(
        TimeRange times,
        long rows,
        long maxSeq,
        boolean mayRepeat,
        Map<Integer, SourceColumn> columns,
        ArrowBatches batches) {
    public BufferImage {
        columns = Map.copyOf(columns);
    }
}
