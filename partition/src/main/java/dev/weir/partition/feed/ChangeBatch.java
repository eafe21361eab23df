package dev.weir.partition.feed;

import dev.weir.partition.model.ChangeEvent;
import dev.weir.partition.model.EventType;
import dev.weir.partition.model.Operation;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Change events of one partition, one tenant, one table and one type, decoded column-wise. Those read from the log are consecutive (row {@code i} has seq
 * {@code firstSeq() + i}), immutable, and may be shared by threads; those read from files are none of this.
 */
public interface ChangeBatch {
    int partition();

    long firstSeq();

    int count();

    long committedAtNanos();

    default long seq(int row) {
        return firstSeq() + row;
    }

    default long committedAtNanos(int row) {
        return committedAtNanos();
    }

    EventType type();

    String tenant();

    String measurement();

    int schemaVersion();

    /** The schema that the rows were written under (for the drop of a table: its last). */
    TableSchema schema();

    Operation operation(int row);

    long timestampNanos(int row);

    /** Which series the row belongs to: an index into {@link #seriesTags}. -1 where no series is meant. */
    int series(int row);

    int seriesCount();

    List<Tag> seriesTags(int series);

    /** Hash of the series ({@link dev.weir.partition.model.SeriesHash}). */
    long seriesHash(int series);

    /** The fields' columns that occur in this batch, ascending by column id. Empty on non-writes. */
    List<FieldColumn> fields();

    /** JSON object of a schema change, drop or range delete; {@code {}} otherwise. */
    String detailJson();

    /** One row as an object; for tests, folds and other paths that are not hot. */
    default ChangeEvent event(int row) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (FieldColumn field : fields()) {
            if (field.present(row)) {
                values.put(field.name(), field.value(row));
            }
        }
        int series = series(row);
        return new ChangeEvent(
                partition(),
                seq(row),
                type(),
                operation(row),
                tenant(),
                measurement(),
                timestampNanos(row),
                series < 0 ? List.of() : seriesTags(series),
                values,
                schemaVersion(),
                committedAtNanos(row),
                type() == EventType.SERIES_DELETED && series >= 0 ? seriesHash(series) : 0,
                detailJson());
    }
}
