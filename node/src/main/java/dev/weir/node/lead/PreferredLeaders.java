package dev.weir.node.lead;

import dev.weir.wal.LogGroupId;
import dev.weir.wal.LogStatus;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;

/**
 * Chooses which log to hand to its preferred leader next. One at a time with a pause between them; only a log that has had the same leader for
 * a while, and whose preferred leader follows closely. A log that was handed over and came back waits longer each time, so that leadership
 * does not go to and fro. Plain state, for one thread.
 */
final class PreferredLeaders {
    /** Entries that the preferred leader may lack: the transfer waits for them, and writes with it. */
    private static final long LAG_MAX = 64;

    private final Pace pace;
    private final Waits<LogGroupId> waits;
    private final Map<LogGroupId, Led> led = new HashMap<>();
    private long nextNanos;
    private boolean begun;

    /**
     * @param tick pause between two looks
     * @param stable how long a log must have had its leader
     * @param spacing pause between two logs
     * @param waitFirst pause after the first try for a log
     * @param waitLongest longest such pause
     * @param unfit how long a node whose disk hung, or whose clock was ahead, is given nothing
     */
    record Pace(
            Duration tick,
            Duration stable,
            Duration spacing,
            Duration waitFirst,
            Duration waitLongest,
            Duration unfit) {
        static final Pace DEFAULT = new Pace(
                Duration.ofSeconds(2),
                Duration.ofSeconds(15),
                Duration.ofSeconds(3),
                Duration.ofSeconds(30),
                Duration.ofMinutes(30),
                Duration.ofMinutes(10));
    }

    private record Led(long term, long sinceNanos) {}

    PreferredLeaders(Pace pace) {
        this.pace = pace;
        this.waits = new Waits<>(pace.waitFirst(), pace.waitLongest());
    }

    /**
     * @param mine the logs that this node leads now
     * @param fit whether a node may be given a log
     */
    Optional<HeldLog> next(List<HeldLog> mine, BiPredicate<HeldLog, String> fit, long nowNanos) {
        observe(mine, nowNanos);
        if (begun && nowNanos - nextNanos < 0) {
            return Optional.empty();
        }
        return mine.stream().filter(log -> isDue(log, fit, nowNanos)).findFirst();
    }

    /** A log that {@link #next} named was handed over, with whatever success. */
    void tried(HeldLog log, long nowNanos) {
        waits.tried(log.group(), nowNanos);
        nextNanos = nowNanos + pace.spacing().toNanos();
        begun = true;
    }

    private void observe(List<HeldLog> mine, long nowNanos) {
        led.keySet().retainAll(mine.stream().map(HeldLog::group).collect(Collectors.toSet()));
        for (HeldLog log : mine) {
            long term = log.status().term();
            led.merge(log.group(), new Led(term, nowNanos), (last, now) -> last.term == term ? last : now);
        }
    }

    private boolean isDue(HeldLog log, BiPredicate<HeldLog, String> fit, long nowNanos) {
        String preferred = log.preferred();
        Led since = led.get(log.group());
        return preferred != null
                && since != null
                && nowNanos - since.sinceNanos >= pace.stable().toNanos()
                && log.voters().contains(preferred)
                && isClose(log.status(), preferred)
                && !waits.waits(log.group(), nowNanos)
                && fit.test(log, preferred);
    }

    private static boolean isClose(LogStatus status, String nodeId) {
        Long stored = status.followers().get(nodeId);
        return stored != null && status.committedIndex() - stored <= LAG_MAX;
    }
}
