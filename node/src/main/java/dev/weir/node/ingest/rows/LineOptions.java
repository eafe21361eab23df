package dev.weir.node.ingest.rows;

/**
 * How a body of line protocol is read.
 *
 * @param dropNotANumber leave out fields that are NaN or infinite, instead of refusing their rows
 * @param rowBytesMax of one row
 */
public record LineOptions(Precision precision, boolean dropNotANumber, int rowBytesMax) {}
