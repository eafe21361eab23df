package dev.weir.partition.engine;

/**
 * Log of a partition that somebody needs, beyond what retention keeps.
 *
 * @param fromSeq events from here on
 * @param bytesMax the whole log may have so many bytes more than retention keeps; then even those go
 */
public record LogHold(long fromSeq, long bytesMax) {
    public static final LogHold NONE = new LogHold(Long.MAX_VALUE, 0);
}
