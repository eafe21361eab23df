package dev.weir.node.cluster;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Which steps and nodes have failed lately and wait, each longer after each failure. Owned by the controller's thread. */
final class Retries {
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private record Wait(Duration pause, long untilNanos) {}

    private final Map<String, Wait> waits = new HashMap<>();

    void failed(String name, long nowNanos) {
        Wait before = waits.get(name);
        Duration pause = before == null ? FIRST : before.pause.multipliedBy(2);
        Duration bounded = pause.compareTo(LONGEST) > 0 ? LONGEST : pause;
        waits.put(name, new Wait(bounded, nowNanos + bounded.toNanos()));
    }

    void succeeded(String name) {
        waits.remove(name);
    }

    boolean waits(String name, long nowNanos) {
        Wait wait = waits.get(name);
        return wait != null && nowNanos - wait.untilNanos < 0;
    }

    /** The names that wait now. */
    Set<String> waiting(long nowNanos) {
        Set<String> names = new HashSet<>();
        waits.forEach((name, wait) -> {
            if (nowNanos - wait.untilNanos < 0) {
                names.add(name);
            }
        });
        return names;
    }
}
