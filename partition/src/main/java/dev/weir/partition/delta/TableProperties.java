package dev.weir.partition.delta;

import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.TableSchema;
import io.delta.kernel.internal.util.ColumnMapping;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The properties of a published table. Of ours:
 *
 * <pre>
 * weir.cut             a cursor of the change stream: every event before it is reflected
 * weir.cut.seqs        the same for people, {@code <partition>:<next seq>,…}
 * weir.schema-version  of the table
 * weir.time-nanos      how to get exact times back
 * </pre>
 */
final class TableProperties {
    static final String CUT = "weir.cut";
    static final String CUT_SEQS = "weir.cut.seqs";
    static final String SCHEMA_VERSION = "weir.schema-version";

    /** How long versions before the last checkpoint stay readable. */
    static final Duration LOG_RETENTION = Duration.ofDays(1);

    /** Versions between checkpoints. */
    static final long CHECKPOINT_INTERVAL = 10;

    private TableProperties() {}

    static Map<String, String> of(TableSchema table, SortedMap<Integer, Long> through) {
        Map<String, String> properties = new HashMap<>();
        properties.put(ColumnMapping.COLUMN_MAPPING_MODE_KEY, "id");
        properties.put(ColumnMapping.COLUMN_MAPPING_MAX_COLUMN_ID_KEY, String.valueOf(DeltaSchema.ID_MAX));
        properties.put("delta.checkpointInterval", String.valueOf(CHECKPOINT_INTERVAL));
        properties.put("delta.logRetentionDuration", "interval " + LOG_RETENTION.toHours() + " hours");
        properties.put("delta.deletedFileRetentionDuration", "interval 1 hours");
        properties.put(SCHEMA_VERSION, String.valueOf(table.version()));
        properties.put(CUT, new Cursor(through).encode(table.tenant()));
        properties.put(
                CUT_SEQS,
                through.entrySet().stream()
                        .map(each -> each.getKey() + ":" + each.getValue())
                        .collect(Collectors.joining(",")));
        properties.put("weir.time-nanos", "1000 * unix_micros(time) + _time_ns");
        return properties;
    }

    /** @throws IllegalArgumentException there is no cut that Weir wrote */
    static SortedMap<Integer, Long> through(Map<String, String> properties) {
        String text = properties.get(CUT_SEQS);
        if (text == null) {
            throw new IllegalArgumentException(
                    "properties of a Delta table: expected " + CUT_SEQS + ", found " + properties.keySet());
        }
        SortedMap<Integer, Long> through = new TreeMap<>();
        Arrays.stream(text.split(",")).filter(each -> !each.isEmpty()).forEach(each -> {
            String[] parts = each.split(":", -1);
            through.put(Integer.parseInt(parts[0]), Long.parseLong(parts[1]));
        });
        return through;
    }
}
