package dev.weir.node.lead;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** How long to leave a thing alone after each try: longer from try to try, until there was none for long. One thread. */
final class Waits<K> {
    private final Duration first;
    private final Duration longest;
    private final Map<K, Wait> waits = new HashMap<>();

    private record Wait(Duration pause, long untilNanos) {}

    Waits(Duration first, Duration longest) {
        this.first = first;
        this.longest = longest;
    }

    boolean waits(K key, long nowNanos) {
        Wait wait = waits.get(key);
        return wait != null && nowNanos - wait.untilNanos < 0;
    }

    void tried(K key, long nowNanos) {
        Wait last = waits.get(key);
        Duration pause = last == null || nowNanos - last.untilNanos > longest.toNanos()
                ? first
                : min(last.pause.multipliedBy(2), longest);
        waits.put(key, new Wait(pause, nowNanos + pause.toNanos()));
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
