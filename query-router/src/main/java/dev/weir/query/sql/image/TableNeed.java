package dev.weir.query.sql.image;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a statement reads of one table. A hint to prune by: rows outside may be given all the same.
 *
 * @param table the measurement, as the catalog spells it
 * @param times rows outside cannot matter
 * @param tags tag → values, one of which the tag must equal (an empty value is no value: a missing tag never matches); all must hold
 * @param columns names of the fields that are read, and of all tags: merging and deletes tell rows apart by them. Buffered rows need no others, besides
 *     "time", {@code _seq} and {@code _series_hash}
 * @param newest of each series only its newest row matters, unless that is later than the times: then any may
 */
public record TableNeed(
        String table, TimeRange times, Map<String, List<String>> tags, Set<String> columns, boolean newest) {
    public TableNeed {
        tags = Map.copyOf(tags);
        columns = Set.copyOf(columns);
    }
}
