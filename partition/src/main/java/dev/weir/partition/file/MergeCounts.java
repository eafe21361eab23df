package dev.weir.partition.file;

/**
 * What became of the rows of a merge: {@code in = out + merged + deleted}, always.
 *
 * @param merged rows that went into one of the same series and time
 */
public record MergeCounts(long in, long out, long merged, long deleted) {}
