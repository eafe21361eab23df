package dev.weir.node.lead;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The newest pulse of each other node. What is too old counts as not known. Any thread. */
final class Pulses {
    static final Duration FRESH = Duration.ofSeconds(7);

    private final Map<String, Reading> readings = new ConcurrentHashMap<>();

    /**
     * @param aheadMs the node's clock less this node's; right within half of the time that the answer took
     * @param sinceNanos since when it has answered without a pause
     */
    record Reading(NodePulse pulse, long aheadMs, long heardNanos, long sinceNanos) {
        private boolean isFresh(long nowNanos) {
            return nowNanos - heardNanos <= FRESH.toNanos();
        }
    }

    void heard(String nodeId, NodePulse pulse, long aheadMs, long nowNanos) {
        readings.compute(nodeId, (id, last) -> {
            long since = last != null && last.isFresh(nowNanos) ? last.sinceNanos : nowNanos;
            return new Reading(pulse, aheadMs, nowNanos, since);
        });
    }

    Optional<Reading> fresh(String nodeId, long nowNanos) {
        return Optional.ofNullable(readings.get(nodeId)).filter(reading -> reading.isFresh(nowNanos));
    }

    void keepOnly(Set<String> nodeIds) {
        readings.keySet().retainAll(nodeIds);
    }
}
