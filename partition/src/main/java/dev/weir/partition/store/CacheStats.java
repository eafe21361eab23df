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
        long bytes, long bytesMax, int files, long pinnedBytes, long hits, long misses, long evictions, long refused) {
    /** Of all that were opened, how many came from disk; 0 before the first. */
    public double hitRatio() {
        return hits + misses == 0 ? 0 : (double) hits / (hits + misses);
    }
}
