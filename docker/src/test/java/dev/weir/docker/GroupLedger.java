package dev.weir.docker;

import dev.weir.cdc.consumer.ChangeHead;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What all members of a group saw, together: each event was handed out to somebody before any later one of its partition was, and what is committed was handed out
 * to nobody whose stream began after. Thread-safe.
 */
final class GroupLedger {
    static final String SUBSCRIPTION = "chaos-group";

    private final Map<Integer, BitSet> handedOut = new HashMap<>();
    private final Map<Integer, Long> committed = new HashMap<>();
    private long again;

    /** One stream of one member, from when it began. */
    final class Stream {
        private final Map<Integer, Long> start;
        private final Map<Integer, Long> next = new TreeMap<>();

        private Stream(Map<Integer, Long> start) {
            this.start = start;
        }

        void handedOut(ChangeHead head) {
            long from = start.getOrDefault(head.partition(), 1L);
            if (head.seq() < from) {
                throw new AssertionError("all before seq " + from + " was committed, and yet came " + head);
            }
            next.put(head.partition(), head.seq() + 1);
            record(head);
        }

        /** By partition, behind what it was handed out. */
        Map<Integer, Long> next() {
            return Map.copyOf(next);
        }

        void committed(Map<Integer, Long> places) {
            synchronized (GroupLedger.this) {
                places.forEach((partition, place) -> committed.merge(partition, place, Math::max));
            }
        }
    }

    synchronized Stream stream() {
        return new Stream(Map.copyOf(committed));
    }

    private synchronized void record(ChangeHead head) {
        BitSet seen = handedOut.computeIfAbsent(head.partition(), first -> new BitSet());
        int seq = Math.toIntExact(head.seq());
        int missing = seen.nextClearBit(1);
        if (missing < seq) {
            throw new AssertionError("nobody was handed out seq " + missing + ", and yet came " + head);
        }
        again += seen.get(seq) ? 1 : 0;
        seen.set(seq);
    }

    /** Different events handed out. */
    synchronized long events() {
        return handedOut.values().stream().mapToLong(BitSet::cardinality).sum();
    }

    /** Events that were handed out again, since they had not been acknowledged. */
    synchronized long again() {
        return again;
    }
}
