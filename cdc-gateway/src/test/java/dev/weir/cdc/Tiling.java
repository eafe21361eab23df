package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What must always hold of a stream: in every partition what was delivered and the gaps lie one behind the other, and what lies between them are events
 * that the stream does not carry. Nothing twice, nothing left out unsaid.
 */
final class Tiling {
    /** Commit time by seq. */
    private final Map<Integer, TreeMap<Long, Long>> carried = new TreeMap<>();

    private final Map<Integer, Long> resolved = new TreeMap<>();
    private long allResolved;
    private int resolvedFrames;
    private final Map<Integer, Long> next = new TreeMap<>();
    private final Map<Integer, Long> prev = new HashMap<>();
    private long delivered;
    private long missed;

    /** An event that the stream has to deliver or to report. */
    void carries(int partition, long seq, long committedAt) {
        carried.computeIfAbsent(partition, any -> new TreeMap<>()).put(seq, committedAt);
    }

    /** What a stream says of resolved times: it never goes back, on none that follows either. */
    void resolved(Map<Integer, Long> partitions, long all) {
        assertThat(all).isGreaterThanOrEqualTo(all == 0 ? 0 : allResolved);
        allResolved = Math.max(all, allResolved);
        partitions.forEach((partition, at) -> {
            assertThat(at).as("partition %d", partition).isGreaterThanOrEqualTo(resolved.getOrDefault(partition, 0L));
            resolved.put(partition, at);
        });
        assertThat(partitions.values()).allMatch(at -> at >= all);
        resolvedFrames++;
    }

    /** From here on the stream's {@code prev} begins anew. */
    void connected() {
        prev.clear();
    }

    void event(int partition, long seq, Long before) {
        assertThat(of(partition)).as("partition %d", partition).containsKey(seq);
        assertThat(of(partition).get(seq))
                .as("commit time of %d:%d, which comes after it was said to be resolved", partition, seq)
                .isGreaterThan(Math.max(allResolved, resolved.getOrDefault(partition, 0L)));
        advance(partition, seq, seq);
        assertThat(before).as("prev of %d:%d", partition, seq).isEqualTo(prev.put(partition, seq));
        delivered++;
    }

    void gap(Gap gap) {
        assertThat(gap.count()).isPositive();
        advance(gap.partition(), gap.first(), gap.last());
        missed += gap.count();
    }

    private void advance(int partition, long first, long last) {
        long from = next.getOrDefault(partition, 1L);
        assertThat(first).as("partition %d, after what came before", partition).isGreaterThanOrEqualTo(from);
        assertThat(of(partition).subMap(from, first))
                .as("partition %d, neither delivered nor reported", partition)
                .isEmpty();
        next.put(partition, last + 1);
    }

    private TreeMap<Long, Long> of(int partition) {
        return carried.getOrDefault(partition, new TreeMap<>());
    }

    int resolvedFrames() {
        return resolvedFrames;
    }

    long allResolved() {
        return allResolved;
    }

    /** Whether all that the stream has to carry was delivered or reported. */
    boolean isComplete() {
        return carried.entrySet().stream()
                .allMatch(each ->
                        next.getOrDefault(each.getKey(), 1L) > each.getValue().lastKey());
    }

    long delivered() {
        return delivered;
    }

    long missed() {
        return missed;
    }

    @Override
    public String toString() {
        return "next " + next + ", delivered " + delivered + ", missed " + missed;
    }
}
