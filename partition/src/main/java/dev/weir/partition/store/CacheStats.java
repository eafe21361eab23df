package dev.weir.partition.store;

/**
 * A disk cache at one moment.
 *
 * @param bytes of files held or on their way
 * @param pinnedBytes of those in use
 * @param hits opened from disk
 * @param misses had to be fetched first
 * @param evictions files removed to make room
 * @param refused opened in vain, since files in use left no room
 */
public record CacheStats(
        long bytes, long bytesMax, int files, long pinnedBytes, long hits, long misses, long evictions, long refused) {}
