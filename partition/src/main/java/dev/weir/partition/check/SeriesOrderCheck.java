package dev.weir.partition.check;

import dev.weir.partition.model.ChangeEvent;
import dev.weir.partition.model.EventType;
import dev.weir.partition.model.SeriesKey;
import java.util.HashMap;
import java.util.Map;

/**
 * Per series, stream order is write order: a field in which one writer counts up, each write sent after the one before was acknowledged, never
 * falls. Not thread-safe.
 */
public final class SeriesOrderCheck {
    private final String counterField;
    private final Map<SeriesKey, Long> last = new HashMap<>();
    private final Violations violations = new Violations();

    /** @param counterField an integer field; events without it are not judged */
    public SeriesOrderCheck(String counterField) {
        this.counterField = counterField;
    }

    /** An event of the deduplicated stream, in the order in which it came. */
    public void event(ChangeEvent event) {
        if (event.type() != EventType.POINT_WRITTEN || !(event.fields().get(counterField) instanceof Number counter)) {
            return;
        }
        SeriesKey series = new SeriesKey(event.tenant(), event.measurement(), event.tags());
        Long before = last.put(series, counter.longValue());
        if (before != null && counter.longValue() <= before) {
            violations.add(
                    series + " seq " + event.seq() + ": " + counterField + " " + counter + " came after " + before);
        }
    }

    public Violations violations() {
        return violations;
    }
}
