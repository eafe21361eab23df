package dev.weir.partition.read;

import dev.weir.partition.model.TableSchema;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which series of one table to read.
 *
 * @param tagFilters key → values, one of which the tag must equal; an empty value matches the missing tag
 * @param seriesMax more series than this refuse with the limit's name
 * @param schema as the asker knows it: a partition learns of a new version by the first rows under it, and answers under the newer of both; null where none is
 *     known
 */
public record LatestQuery(
        String tenant,
        String measurement,
        Map<String, List<String>> tagFilters,
        int seriesMax,
        @Nullable TableSchema schema) {
    public LatestQuery(String tenant, String measurement, Map<String, List<String>> tagFilters, int seriesMax) {
        this(tenant, measurement, tagFilters, seriesMax, null);
    }
}
