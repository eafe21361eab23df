package dev.weir.cdc;

import java.time.Duration;
import java.util.function.IntPredicate;

/**
 * How much history a partition keeps, as the node is configured and as its disks have room.
 *
 * @param retentionBytes {@code retention.bytes}
 * @param retentionAge {@code retention.age}
 * @param heldBytesMax {@code retention.held-bytes}: beyond, no budget of a subscription counts
 * @param hasSpace whether the disks of a partition's replicas have room for what budgets hold; where not, the retention alone counts
 */
public record HistoryLimits(long retentionBytes, Duration retentionAge, long heldBytesMax, IntPredicate hasSpace) {}
