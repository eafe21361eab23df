package dev.weir.node.lead;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Whether this node should be given logs to lead: not for a while after its disk hung under a log that it led. Any thread. */
final class NodeFitness {
    static final Duration UNFIT = Duration.ofMinutes(10);
    static final Duration SHOWN = Duration.ofMinutes(1);

    private final LongSupplier stalls;
    private long seen;
    private long stalledNanos;

    /** @param stalls how often a log of this node was given up because its appends made no progress */
    NodeFitness(LongSupplier stalls) {
        this.stalls = stalls;
    }

    boolean fit(long nowNanos) {
        return !stalledWithin(UNFIT, nowNanos);
    }

    /** For this node's health. */
    Optional<String> cause(long nowNanos) {
        return stalledWithin(SHOWN, nowNanos)
                ? Optional.of("the disk made no progress under logs that this node led: it hands leadership over")
                : Optional.empty();
    }

    private synchronized boolean stalledWithin(Duration time, long nowNanos) {
        long count = stalls.getAsLong();
        if (count > seen) {
            stalledNanos = nowNanos;
        }
        seen = count;
        return stalledNanos != 0 && nowNanos - stalledNanos < time.toNanos();
    }
}
