package dev.weir.query.sql.image;

import java.util.List;
import java.util.Map;

/**
 * A delete in force: hits rows of its part with {@code _seq} below its own, time in range, and tags that match.
 *
 * @param seq the delete's own
 * @param tags tag → values, one of which the tag must equal; an empty value matches the missing tag; all must hold; none: every series
 */
public record DeletedRange(long seq, TimeRange times, Map<String, List<String>> tags) {
    public DeletedRange {
        tags = Map.copyOf(tags);
    }
}
