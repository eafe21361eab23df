package dev.weir.node.lead;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/** Whether this node should be given logs to lead: not for a while after its disk hung, or its clock was ahead, under a log that it led. Any thread. */
final class NodeFitness {
    private static final Duration SHOWN = Duration.ofMinutes(1);

    private final LongSupplier stalls;
    private final Duration unfit;
    private long seenStalls;
    private OptionalLong stalledNanos = OptionalLong.empty();
    private OptionalLong clockNanos = OptionalLong.empty();

    /**
     * @param stalls how often a log of this node was given up because its appends made no progress
     * @param unfit how long this node is not given a log afterwards
     */
    NodeFitness(LongSupplier stalls, Duration unfit) {
        this.stalls = stalls;
        this.unfit = unfit;
    }

    /** A log was given away because this node's clock is ahead. */
    synchronized void leftByClock(long nowNanos) {
        clockNanos = OptionalLong.of(nowNanos);
    }

    synchronized boolean fit(long nowNanos) {
        look(nowNanos);
        return !within(stalledNanos, unfit, nowNanos) && !within(clockNanos, unfit, nowNanos);
    }

    /** For this node's health. */
    synchronized Optional<String> cause(long nowNanos) {
        look(nowNanos);
        return within(stalledNanos, SHOWN, nowNanos)
                ? Optional.of("the disk made no progress under logs that this node led: it hands leadership over")
                : Optional.empty();
    }

    private void look(long nowNanos) {
        long count = stalls.getAsLong();
        if (count > seenStalls) {
            stalledNanos = OptionalLong.of(nowNanos);
        }
        seenStalls = count;
    }

    private static boolean within(OptionalLong since, Duration time, long nowNanos) {
        return since.isPresent() && nowNanos - since.getAsLong() < time.toNanos();
    }
}
