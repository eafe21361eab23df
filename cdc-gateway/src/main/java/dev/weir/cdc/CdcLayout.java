package dev.weir.cdc;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The columns of record batches of change events. Names, types and order are a contract; no column is ever null.
 *
 * <pre>
 * column           type    {@link #FIXED} ends after series_hash, {@link #FULL} goes on
 * seq              UInt64  dense in the event's partition
 * event_type       Utf8    point_written, series_deleted, measurement_dropped, range_deleted, schema_changed
 * measurement      Utf8
 * event_timestamp  Int64   ns since 1970 of the point; 0 where not a write
 * tags_json        Utf8    JSON object of the series' tags; {} where no series is meant
 * fields_json      Utf8    JSON object of the fields as written, never merged; {} on non-writes
 * series_hash      UInt64  of the series on series_deleted; else 0
 * partition        UInt32  whose seq it is
 * operation        Utf8    insert, update, delete, none
 * schema_version   UInt32  of the table, under which the row was written
 * committed_at     Int64   ns since 1970, rising within the partition
 * detail_json      Utf8    what a drop, range delete or schema change says (a JSON object); else {}
 * </pre>
 */
public enum CdcLayout {
    /** All twelve columns. */
    FULL("full"),
    /** The first seven alone. */
    FIXED("fixed");

    private static final int FIXED_COLUMNS = 7;
    private static final List<Field> COLUMNS = List.of(
            column("seq", new ArrowType.Int(64, false)),
            column("event_type", ArrowType.Utf8.INSTANCE),
            column("measurement", ArrowType.Utf8.INSTANCE),
            column("event_timestamp", new ArrowType.Int(64, true)),
            column("tags_json", ArrowType.Utf8.INSTANCE),
            column("fields_json", ArrowType.Utf8.INSTANCE),
            column("series_hash", new ArrowType.Int(64, false)),
            column("partition", new ArrowType.Int(32, false)),
            column("operation", ArrowType.Utf8.INSTANCE),
            column("schema_version", new ArrowType.Int(32, false)),
            column("committed_at", new ArrowType.Int(64, true)),
            column("detail_json", ArrowType.Utf8.INSTANCE));

    private final String wireName;

    CdcLayout(String wireName) {
        this.wireName = wireName;
    }

    /** The columns; the schema's metadata has {@code weir.layout}. */
    public Schema schema() {
        List<Field> columns = this == FIXED ? COLUMNS.subList(0, FIXED_COLUMNS) : COLUMNS;
        return new Schema(new ArrayList<>(columns), Map.of("weir.layout", wireName));
    }

    private static Field column(String name, ArrowType type) {
        return new Field(name, FieldType.notNullable(type), null);
    }
}
