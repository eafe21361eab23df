package dev.weir.cdc.consumer;

import org.jspecify.annotations.Nullable;

/**
 * One frame of an event stream.
 *
 * @param event its type, {@code message} where the frame names none
 * @param id the id in this very frame; null where it has none
 * @param data its data lines joined by LF
 */
public record SseFrame(String event, @Nullable String id, String data) {
    /** A change event; the others (checkpoint, gap, lost, …) are control frames. */
    public boolean isChange() {
        return switch (event) {
            case "point_written", "series_deleted", "measurement_dropped", "range_deleted", "schema_changed" -> true;
            default -> false;
        };
    }

    /** Where a change event stands: the head of its data. */
    public ChangeHead head() {
        return ChangeHead.parse(data);
    }
}
