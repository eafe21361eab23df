package dev.weir.node.server;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * Whose turn it is among partitions: who waited longest, so many at a time, and none again before it has rested. Partitions that always have something to
 * do keep no other one waiting. Any thread.
 */
final class Turns {
    private final int atOnce;
    private final long restNanos;
    private final Set<Integer> running = new HashSet<>();
    private final Map<Integer, Long> endedNanos = new HashMap<>();

    /** @param restNanos between the end of a partition's turn and its next */
    Turns(int atOnce, long restNanos) {
        this.atOnce = atOnce;
        this.restNanos = restNanos;
    }

    /**
     * Begins a turn, to be ended by {@link #end}; empty where all places are taken, or nobody may.
     *
     * @param may asked of partitions that have rested
     */
    synchronized Optional<Integer> begin(List<Integer> partitions, IntPredicate may, long nowNanos) {
        if (running.size() >= atOnce) {
            return Optional.empty();
        }
        Integer first = null;
        for (Integer partition : partitions) {
            if (!running.contains(partition)
                    && waited(partition, nowNanos) >= restNanos
                    && (first == null || waited(partition, nowNanos) > waited(first, nowNanos))
                    && may.test(partition)) {
                first = partition;
            }
        }
        if (first != null) {
            running.add(first);
        }
        return Optional.ofNullable(first);
    }

    synchronized void end(int partition, long nowNanos) {
        running.remove(partition);
        endedNanos.put(partition, nowNanos);
    }

    synchronized boolean isRunning(int partition) {
        return running.contains(partition);
    }

    private long waited(int partition, long nowNanos) {
        Long ended = endedNanos.get(partition);
        return ended == null ? Long.MAX_VALUE : nowNanos - ended;
    }
}
