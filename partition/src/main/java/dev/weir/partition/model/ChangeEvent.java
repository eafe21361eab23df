package dev.weir.partition.model;

import java.util.List;
import java.util.Map;

/**
 * One change, as the stream tells it.
 *
 * @param partition whose log holds it
 * @param seq its place there, dense over all tenants' events
 * @param measurement the table's name
 * @param timestampNanos of the point, ns since 1970; 0 where not a write
 * @param tags of the series; empty where no series is meant
 * @param fields as written, never merged: Double, Long, {@link java.math.BigInteger} (uint64), Boolean or String, in the order of column ids
 * @param schemaVersion of the table, under which the row was written
 * @param committedAtNanos ns since 1970, rising within the partition
 * @param seriesHash of the series, 0 but on SERIES_DELETED
 * @param detailJson what a range delete, drop or schema change says (one JSON object), else {@code {}}
 */
public record ChangeEvent(
        int partition,
        long seq,
        EventType type,
        Operation operation,
        String tenant,
        String measurement,
        long timestampNanos,
        List<Tag> tags,
        Map<String, Object> fields,
        int schemaVersion,
        long committedAtNanos,
        long seriesHash,
        String detailJson) {}
