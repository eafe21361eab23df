package dev.weir.node.ingest.letter;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The bodies whose letters this node has kept lately: who sends the same body again, since the answer was lost or asked for it, gets no second letters.
 * Bounded; what is forgotten costs letters that are there twice. Any thread.
 */
final class KeptBefore {
    static final int BODIES_MAX = 4_096;
    static final Duration WINDOW = Duration.ofMinutes(10);

    private final Map<String, Long> seen = new LinkedHashMap<>();

    /** Whether this body is new; then it is not any more. */
    synchronized boolean isNew(String body, long nowNanos) {
        Iterator<Long> oldest = seen.values().iterator();
        while (oldest.hasNext() && nowNanos - oldest.next() > WINDOW.toNanos()) {
            oldest.remove();
        }
        if (seen.putIfAbsent(body, nowNanos) != null) {
            return false;
        }
        if (seen.size() > BODIES_MAX) {
            seen.remove(seen.keySet().iterator().next());
        }
        return true;
    }

    /** Its letters could not be kept. */
    synchronized void forget(String body) {
        seen.remove(body);
    }
}
