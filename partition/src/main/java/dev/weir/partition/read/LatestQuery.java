package dev.weir.partition.read;

import java.util.List;
import java.util.Map;

/**
 * Which series of one table to read.
 *
 * @param tagFilters key → values, one of which the tag must equal; an empty value matches the missing tag
 * @param seriesMax more series than this refuse with the limit's name
 */
public record LatestQuery(String tenant, String measurement, Map<String, List<String>> tagFilters, int seriesMax) {}
