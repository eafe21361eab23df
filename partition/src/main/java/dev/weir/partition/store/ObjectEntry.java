package dev.weir.partition.store;

import java.time.Instant;

/**
 * An object as a listing shows it.
 *
 * @param modifiedAt by the store's clock
 */
public record ObjectEntry(String key, long bytes, Instant modifiedAt) {}
