package dev.weir.partition.check;

import dev.weir.partition.model.ChangeEvent;
import dev.weir.partition.model.SeriesKey;
import dev.weir.partition.read.SeriesRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * Folding the change stream gives exactly the table. Fed with the deduplicated events up to a cut and the rows that a read at that cut answered.
 * Not thread-safe.
 */
public final class FoldEqualsTableCheck {
    private final FoldedTable folded = new FoldedTable();
    private final Violations violations = new Violations();

    public void event(ChangeEvent event) {
        folded.event(event);
    }

    public FoldedTable folded() {
        return folded;
    }

    /** Compares with the last point of every series of one table. */
    public void latest(String tenant, String measurement, List<SeriesRow> rows) {
        Map<SeriesKey, NavigableMap<Long, Map<String, Object>>> expected = ofTable(tenant, measurement);
        for (SeriesRow row : rows) {
            SeriesKey key = new SeriesKey(tenant, measurement, row.tags());
            NavigableMap<Long, Map<String, Object>> points = expected.remove(key);
            if (points == null) {
                violations.add(key + ": the table has it, the fold of the stream does not");
            } else {
                compare(
                        new PointKey(key, row.timestampNanos()),
                        points.lastKey(),
                        points.lastEntry().getValue(),
                        row);
            }
        }
        expected.keySet().forEach(key -> violations.add(key + ": the fold of the stream has it, the table does not"));
    }

    /** Compares with all points of one table. */
    public void points(String tenant, String measurement, Map<PointKey, Map<String, Object>> rows) {
        Map<PointKey, Map<String, Object>> left = new HashMap<>(rows);
        ofTable(tenant, measurement)
                .forEach((series, points) -> points.forEach((time, fields) -> {
                    PointKey key = new PointKey(series, time);
                    @Nullable Map<String, Object> found = left.remove(key);
                    if (!fields.equals(found)) {
                        violations.add(key + ": the fold of the stream says " + fields + ", the table " + found);
                    }
                }));
        left.forEach((key, fields) -> violations.add(key + ": the table has it, the fold of the stream does not"));
    }

    /** What differs, and events whose operation contradicts the fold. */
    public List<Violations> violations() {
        List<Violations> all = new ArrayList<>();
        if (!violations.isEmpty()) {
            all.add(violations);
        }
        if (!folded.violations().isEmpty()) {
            all.add(folded.violations());
        }
        return all;
    }

    private void compare(PointKey key, long time, Map<String, Object> fields, SeriesRow row) {
        if (time != row.timestampNanos()) {
            violations.add(key + ": the fold's newest point is at " + time);
        } else if (!fields.equals(row.fields())) {
            violations.add(key + ": the fold says " + fields + ", the table " + row.fields());
        }
    }

    private Map<SeriesKey, NavigableMap<Long, Map<String, Object>>> ofTable(String tenant, String measurement) {
        Map<SeriesKey, NavigableMap<Long, Map<String, Object>>> found = folded.points();
        found.keySet()
                .removeIf(key -> !key.tenant().equals(tenant) || !key.table().equals(measurement));
        return found;
    }
}
