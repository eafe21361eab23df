package dev.weir.node.server;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * Whose turn it is among partitions, at which of several works: who waited longest for it, so many of each work at a time, a partition at one work only, and
 * none again at the same before it has rested. Partitions that always have something to do keep no other one waiting. Any thread.
 *
 * @param <W> the works
 */
final class Turns<W extends Enum<W>> {
    private final Map<W, Integer> places;
    private final long restNanos;
    private final Map<Integer, W> running = new HashMap<>();
    private final Map<W, Map<Integer, Long>> endedNanos;

    /**
     * @param places of each work
     * @param restNanos between the end of a partition's turn and its next at the same work
     */
    Turns(Class<W> works, Map<W, Integer> places, long restNanos) {
        this.places = new EnumMap<>(places);
        this.restNanos = restNanos;
        this.endedNanos = new EnumMap<>(works);
        for (W work : works.getEnumConstants()) {
            endedNanos.put(work, new HashMap<>());
        }
    }

    /**
     * Begins a turn, to be ended by {@link #end}; empty where all places are taken, or nobody may.
     *
     * @param partitions all that there are now; of others nothing is remembered
     * @param may asked of partitions that have rested; must not wait
     */
    synchronized Optional<Integer> begin(W work, Set<Integer> partitions, IntPredicate may, long nowNanos) {
        Map<Integer, Long> ended = ended(work);
        ended.keySet().retainAll(partitions);
        if (running.values().stream().filter(work::equals).count() >= places.getOrDefault(work, 0)) {
            return Optional.empty();
        }
        Integer first = null;
        for (Integer partition : partitions) {
            long waited = waited(ended, partition, nowNanos);
            if (!running.containsKey(partition)
                    && waited >= restNanos
                    && (first == null || waited > waited(ended, first, nowNanos))
                    && may.test(partition)) {
                first = partition;
            }
        }
        if (first != null) {
            running.put(first, work);
        }
        return Optional.ofNullable(first);
    }

    synchronized void end(int partition, long nowNanos) {
        W work = running.remove(partition);
        if (work != null) {
            ended(work).put(partition, nowNanos);
        }
    }

    private Map<Integer, Long> ended(W work) {
        return Objects.requireNonNull(endedNanos.get(work));
    }

    private static long waited(Map<Integer, Long> ended, int partition, long nowNanos) {
        Long at = ended.get(partition);
        return at == null ? Long.MAX_VALUE : nowNanos - at;
    }
}
