package dev.weir.partition.engine;

/**
 * How many series a table has in one partition.
 *
 * @param widestTag the tag with most distinct values; empty where no series has tags
 */
public record TableSeries(String tenant, String table, int series, String widestTag) {}
