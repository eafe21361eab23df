package dev.weir.cdc;

/**
 * What Arrow streams must have in common to share batches.
 *
 * @param rowsMax of a batch
 * @param isZstd buffers are compressed
 */
record ArrowForm(RunKey key, StreamLayout layout, boolean isZstd, int rowsMax) {}
