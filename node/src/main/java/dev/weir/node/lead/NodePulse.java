package dev.weir.node.lead;

/**
 * What a node says of itself.
 *
 * @param clockMs its wall clock, ms since 1970
 * @param aboveReserve its free space is above {@code disk.reserve-bytes}
 * @param fitToLead false for a while after its disk hung or its clock was ahead, and while it starts
 * @param farAboveReserve its free space is at least four times {@code disk.reserve-bytes}
 */
public record NodePulse(long clockMs, boolean aboveReserve, boolean fitToLead, boolean farAboveReserve) {}
