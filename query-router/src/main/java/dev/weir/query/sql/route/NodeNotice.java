package dev.weir.query.sql.route;

import java.util.Map;

/**
 * What a node says of itself, every second.
 *
 * @param busy statements that wait or run
 * @param seats {@code sql.concurrent-max}
 * @param heldBytes tenant → bytes of its files that the node has at hand, since it read them lately
 * @param storedBytes tenant → bytes of its files in the partitions that the node leads
 */
public record NodeNotice(String node, int busy, int seats, Map<String, Long> heldBytes, Map<String, Long> storedBytes) {
    public NodeNotice {
        heldBytes = Map.copyOf(heldBytes);
        storedBytes = Map.copyOf(storedBytes);
    }

    long held(String tenant) {
        return heldBytes.getOrDefault(tenant, 0L);
    }

    long stored(String tenant) {
        return storedBytes.getOrDefault(tenant, 0L);
    }
}
