package dev.weir.partition.read;

import dev.weir.partition.model.Tag;
import java.util.List;
import java.util.Map;

/**
 * A series and, for {@code latest}, its newest point merged by field.
 *
 * @param timestampNanos of the newest point
 * @param fields name → Double, Long, BigInteger (uint64), Boolean, String; empty for {@code series}
 */
public record SeriesRow(List<Tag> tags, long seriesHash, long timestampNanos, Map<String, Object> fields) {}
