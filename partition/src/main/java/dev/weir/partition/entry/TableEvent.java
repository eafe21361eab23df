package dev.weir.partition.entry;

import dev.weir.partition.model.EventType;
import org.jspecify.annotations.Nullable;

/**
 * One change event that is no row: a delete, a drop or a new schema version.
 *
 * @param schemaVersion of the table as the log knows it, 0 where it defined none
 * @param canonicalTags of the series that is meant ({@link CanonicalTags}); null where none is
 * @param seriesHash of that series, 0 where none is meant
 * @param detailJson one JSON object, {@code {}} where there is nothing to say
 */
public record TableEvent(
        EventType type,
        String tenant,
        int tableId,
        String measurement,
        int schemaVersion,
        byte @Nullable [] canonicalTags,
        long seriesHash,
        String detailJson) {
    public TableEvent {
        if (type == EventType.POINT_WRITTEN) {
            throw new IllegalArgumentException("a written point is a row, not an event of its table");
        }
    }
}
