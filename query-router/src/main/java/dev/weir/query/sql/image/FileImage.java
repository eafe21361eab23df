package dev.weir.query.sql.image;

import dev.weir.partition.model.FieldType;
import java.nio.file.Path;
import java.util.Map;

/**
 * A Parquet file on this node's disk.
 *
 * <p>Columns: one UTF8 per tag, one per field, "time" (TIMESTAMP in microseconds UTC, rounded down), {@code _time_ns} (INT32, the rest, 0 to
 * 999), {@code _seq} (INT64), {@code _series_hash} (UINT64).
 *
 * @param path absolute, below a folder that the engine was allowed to read at its start
 * @param times smallest and largest time of its rows, to the nanosecond
 * @param maxSeq largest {@code _seq} of its rows: deletes up to it may hit, later writes of its points are above it
 * @param mayRepeat whether a series and time of it may occur twice: in this file, or in another file or buffer of the image. False for all of a
 *     table's sources lets them be read without merging
 * @param wholeMicros {@code _time_ns} is 0 in every row, as the file's footer says
 * @param columns id of a column of the schema → what it is here; a column that is not in it was not there when the file was written and reads NULL
 */
public record FileImage(
        Path path,
        TimeRange times,
        long rows,
        long maxSeq,
        boolean mayRepeat,
        boolean wholeMicros,
        Map<Integer, SourceColumn> columns) {
    public FileImage {
        columns = Map.copyOf(columns);
    }

    /**
     * A column as its source has it.
     *
     * @param name in the file or the Arrow batches
     * @param type may be narrower than the schema's (int64 that became float64)
     */
    public record SourceColumn(String name, FieldType type) {}
}
