package dev.weir.node.ingest.rows;

import dev.weir.partition.model.ErrorCode;

/**
 * Why one row is refused.
 *
 * @param message safe to show and to log: what was expected, what was found, where; no control characters
 */
public record RowFault(ErrorCode code, String message) {}
