package dev.weir.cdc.consumer;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Turns at-least-once into exactly-once: tells of each change event whether it is new, by (partition, seq), and says when events are missing.
 *
 * <p>On an unfiltered stream seq is dense per partition, so the next seq is known. On a filtered stream the event's {@code prev} must be the
 * last seq that was seen. The first event of a partition is taken as it comes, unless {@link #startAt} or {@link #lineage} said where it
 * begins; so is one without {@code prev} on a filtered stream (the first of a connection: that nothing is missing there is what the cursor
 * promises).
 *
 * <p>An event that comes after a hole is not taken in: it stays a {@link Verdict#HOLE} until the missing ones came, or until {@link #forgive}.
 *
 * <p>State is one number a partition; {@link #save} and {@link #restore} keep it with the consumer's own results, which is what makes
 * exactly-once true across its crashes. Not thread-safe.
 */
public final class Deduplicator {
    /** More partitions than this are refused; a cluster has far fewer. */
    public static final int PARTITIONS_MAX = 65536;

    /** What an event is to the consumer. */
    public enum Verdict {
        /** Never seen: process it. */
        FRESH,
        /** Seen before: skip it. */
        DUPLICATE,
        /** New, but events before it are missing; see {@link Deduplicator#lastHole}. */
        HOLE
    }

    /**
     * Events that are missing.
     *
     * @param lastSeen seq of the last event taken in
     * @param found seq of the event that came
     * @param prev what that event says came before it; null on unfiltered streams
     */
    public record Hole(
            int partition,
            long lastSeen,
            long found,
            @Nullable Long prev) {
        @Override
        public String toString() {
            return "partition " + partition + ": after seq " + lastSeen + " came " + found
                    + (prev == null ? "" : ", which follows " + prev) + "; what lies between is missing";
        }
    }

    private static final String VERSION = "1";

    private final boolean filtered;
    private final Map<Integer, Long> last = new HashMap<>();
    private @Nullable Hole hole;

    private Deduplicator(boolean filtered) {
        this.filtered = filtered;
    }

    /**
     * For a stream that carries all that its partitions log, so that seq is dense: no filter, a tenant alone in the cluster, and no row refused, since
     * dead letters take a seq that an unfiltered stream does not carry.
     */
    public static Deduplicator unfiltered() {
        return new Deduplicator(false);
    }

    /** For every stream: of several tenants, with filters, or past dead letters, too. */
    public static Deduplicator filtered() {
        return new Deduplicator(true);
    }

    /**
     * Rows of a snapshot are all fresh: that one comes again, with the same seq and content, only where the stream was resumed before it. At the end of the snapshot call
     * {@link #forgive} with each partition's next seq.
     */
    public Verdict accept(ChangeHead head) {
        if (head.isRow()) {
            return Verdict.FRESH;
        }
        return accept(head.partition(), head.seq(), head.prev());
    }

    public Verdict accept(int partition, long seq, @Nullable Long prev) {
        Long seen = last.get(partition);
        if (seen == null) {
            remember(partition, seq);
            return Verdict.FRESH;
        }
        if (seq <= seen) {
            return Verdict.DUPLICATE;
        }
        boolean missing = filtered ? prev != null && prev > seen : seq != seen + 1;
        if (missing) {
            hole = new Hole(partition, seen, seq, filtered ? prev : null);
            return Verdict.HOLE;
        }
        last.put(partition, seq);
        return Verdict.FRESH;
    }

    /** What the last {@link Verdict#HOLE} was about. */
    public @Nullable Hole lastHole() {
        return hole;
    }

    /** The consumer knows of the hole and goes on: the next event expected in the partition is {@code seq}. */
    public void forgive(int partition, long seq) {
        remember(partition, seq - 1);
    }

    /** The first event of a partition is {@code seq} or later (on unfiltered streams: exactly that). */
    public void startAt(int partition, long seq) {
        last.putIfAbsent(partition, seq - 1);
    }

    /**
     * A partition has ended in others. The children begin after the highest seq of their parents; the parents stay known, so that events that
     * are sent again are still told apart.
     */
    public void lineage(Collection<Integer> parents, Collection<Integer> children) {
        long highest = 0;
        for (int parent : parents) {
            highest = Math.max(highest, last.getOrDefault(parent, 0L));
        }
        for (int child : children) {
            if (highest > 0) {
                startAt(child, highest + 1);
            }
        }
    }

    /** Seq of the last event taken in; empty state gives an empty map. */
    public Map<Integer, Long> lastSeen() {
        return new TreeMap<>(last);
    }

    /** The state as one line of text. */
    public String save() {
        StringBuilder text = new StringBuilder(VERSION).append(filtered ? ";f;" : ";u;");
        String comma = "";
        for (Map.Entry<Integer, Long> entry : new TreeMap<>(last).entrySet()) {
            text.append(comma).append(entry.getKey()).append(':').append(entry.getValue());
            comma = ",";
        }
        return text.toString();
    }

    /** @throws IllegalArgumentException the text is not what {@link #save} gave */
    public static Deduplicator restore(String saved) {
        String[] parts = saved.split(";", -1);
        if (parts.length != 3 || !parts[0].equals(VERSION) || !(parts[1].equals("f") || parts[1].equals("u"))) {
            throw new IllegalArgumentException("expected a saved state such as 1;u;0:17,1:4, found " + saved);
        }
        Deduplicator restored = new Deduplicator(parts[1].equals("f"));
        if (!parts[2].isEmpty()) {
            for (String place : parts[2].split(",", -1)) {
                int colon = place.indexOf(':');
                if (colon < 1) {
                    throw new IllegalArgumentException("expected partition:seq, found " + place);
                }
                restored.remember(
                        Integer.parseInt(place.substring(0, colon)), Long.parseLong(place.substring(colon + 1)));
            }
        }
        return restored;
    }

    private void remember(int partition, long seq) {
        if (last.size() >= PARTITIONS_MAX && !last.containsKey(partition)) {
            throw new IllegalStateException("more than " + PARTITIONS_MAX + " partitions");
        }
        last.put(partition, seq);
    }
}
