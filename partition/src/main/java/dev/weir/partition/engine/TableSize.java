package dev.weir.partition.engine;

/**
 * What a table has in one partition; as of a moment ago.
 *
 * @param fileRows rows in files; a point that was written again may count twice until files are merged
 * @param bufferedRows rows that no file holds yet
 */
public record TableSize(int tableId, int files, long fileRows, long fileBytes, long bufferedRows) {}
