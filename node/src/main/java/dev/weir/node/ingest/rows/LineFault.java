package dev.weir.node.ingest.rows;

import dev.weir.partition.model.ErrorCode;

/**
 * What is wrong with a line, and where.
 *
 * @param at index of the byte in the body
 * @param text without the place
 */
record LineFault(ErrorCode code, int at, String text) {}
