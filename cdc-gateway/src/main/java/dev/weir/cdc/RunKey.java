package dev.weir.cdc;

/**
 * What streams must have in common to share encoded frames.
 *
 * @param int64AsString integers that can pass 2^53 are quoted
 */
record RunKey(StreamFilter filter, boolean int64AsString) {}
