package dev.weir.partition.entry;

/**
 * A series as one partition's log defines it.
 *
 * @param seriesId local to the partition, from 0
 * @param canonicalTags see {@link CanonicalTags}
 * @param hash of the series ({@link dev.weir.partition.model.SeriesHash})
 */
public record SeriesDefinition(int seriesId, int tableId, byte[] canonicalTags, long hash) {}
