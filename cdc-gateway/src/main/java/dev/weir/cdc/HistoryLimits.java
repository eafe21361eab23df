package dev.weir.cdc;

import java.time.Duration;

/**
 * How much history a partition keeps, as the node is configured.
 *
 * @param retentionBytes {@code retention.bytes}
 * @param retentionAge {@code retention.age}
 * @param heldBytesMax {@code retention.held-bytes}: beyond, no budget of a subscription counts
 */
public record HistoryLimits(long retentionBytes, Duration retentionAge, long heldBytesMax) {}
