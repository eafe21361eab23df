package dev.weir.docker;

import dev.weir.cdc.consumer.ChangeHead;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What all members of a group saw, together: each event was handed out to somebody before any later one of its partition was, what is committed was handed out
 * to nobody whose stream began after, and what a stream left unacknowledged when it ended came by a later one. Thread-safe.
 */
final class GroupLedger {
    static final String SUBSCRIPTION = "chaos-group";

    private final Map<Integer, BitSet> handedOut = new HashMap<>();
    private final Map<Integer, Long> committed = new HashMap<>();
    /** Each event's latest stream. */
    private final Map<Place, Long> latest = new HashMap<>();
    /** What streams have left unacknowledged, with the latest of them. */
    private final Map<Place, Long> leftBehind = new HashMap<>();

    private long streams;
    private long again;

    private record Place(int partition, long seq) {}

    /** One stream of one member, from when it began. */
    final class Stream {
        private final Map<Integer, Long> start;
        private final Map<Integer, Long> next = new TreeMap<>();
        private final List<Place> unacknowledged = new ArrayList<>();
        /** In the order in which streams brought their first event; 0 before. */
        private long number;

        private Stream(Map<Integer, Long> start) {
            this.start = start;
        }

        void handedOut(ChangeHead head) {
            long from = start.getOrDefault(head.partition(), 1L);
            if (head.seq() < from) {
                throw new AssertionError("all before seq " + from + " was committed, and yet came " + head);
            }
            next.put(head.partition(), head.seq() + 1);
            Place place = new Place(head.partition(), head.seq());
            unacknowledged.add(place);
            synchronized (GroupLedger.this) {
                record(head);
                number = number == 0 ? ++streams : number;
                latest.merge(place, number, Math::max);
            }
        }

        /** All that it was handed out. */
        void acknowledged() {
            unacknowledged.clear();
        }

        void ended() {
            synchronized (GroupLedger.this) {
                unacknowledged.forEach(place -> leftBehind.merge(place, number, Math::max));
            }
            unacknowledged.clear();
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

    private void record(ChangeHead head) {
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

    /** The first event that was left unacknowledged and came by no later stream; empty where all did. */
    synchronized Optional<String> forgotten() {
        return leftBehind.entrySet().stream()
                .filter(left -> latest.getOrDefault(left.getKey(), 0L) <= left.getValue())
                .map(left -> left.getKey() + " was left by stream " + left.getValue() + ", and came by none after it")
                .findFirst();
    }

    /** Different events that streams have left unacknowledged. */
    synchronized long leftBehind() {
        return leftBehind.size();
    }

    /** Events that were handed out again, since they had not been acknowledged. */
    synchronized long again() {
        return again;
    }
}
