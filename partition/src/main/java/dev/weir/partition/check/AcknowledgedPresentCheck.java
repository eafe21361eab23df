package dev.weir.partition.check;

import dev.weir.partition.model.ChangeEvent;
import dev.weir.partition.model.EventType;
import dev.weir.partition.model.SeriesKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Every acknowledged row is in the stream, and no refused one. Rows are told apart by their point and their fields, so a workload that never writes
 * the same fields to the same point twice is checked exactly. Rows with an unknown outcome may be there or not. Not thread-safe.
 */
public final class AcknowledgedPresentCheck {
    private final Map<Row, Long> seen = new HashMap<>();
    private final Set<Row> acknowledged = new HashSet<>();
    private final Set<Row> refused = new HashSet<>();

    /** A row as it was sent. */
    public record Row(PointKey point, Map<String, Object> fields) {
        public Row {
            fields = Map.copyOf(fields);
        }
    }

    public void acknowledged(Row row) {
        acknowledged.add(row);
        refused.remove(row);
    }

    /** Nothing may be stored, ever, unless the same row is acknowledged later. */
    public void refused(Row row) {
        if (!acknowledged.contains(row)) {
            refused.add(row);
        }
    }

    /** An event of the deduplicated stream. */
    public void event(ChangeEvent event) {
        if (event.type() == EventType.POINT_WRITTEN) {
            PointKey point = new PointKey(
                    new SeriesKey(event.tenant(), event.measurement(), event.tags()), event.timestampNanos());
            seen.merge(new Row(point, event.fields()), 1L, Long::sum);
        }
    }

    public long acknowledgedRows() {
        return acknowledged.size();
    }

    /** To be asked once the stream was read through the cut that covers every acknowledged row. */
    public Violations violations() {
        Violations violations = new Violations();
        for (Row row : acknowledged) {
            long times = seen.getOrDefault(row, 0L);
            if (times == 0) {
                violations.add("acknowledged, not in the stream: " + row);
            } else if (times > 1) {
                violations.add("in the stream " + times + " times: " + row);
            }
        }
        for (Row row : refused) {
            if (seen.containsKey(row)) {
                violations.add("refused, yet in the stream: " + row);
            }
        }
        return violations;
    }
}
