package dev.weir.cdc;

import dev.weir.partition.model.Cursor;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A place in the merged stream: per partition the next seq. Immutable; partitions ascending. */
final class Position {
    private final int[] partitions;
    private final long[] next;

    private Position(int[] partitions, long[] next) {
        this.partitions = partitions;
        this.next = next;
    }

    static Position of(SortedMap<Integer, Long> next) {
        int[] ids = new int[next.size()];
        long[] seqs = new long[ids.length];
        int at = 0;
        for (var entry : next.entrySet()) {
            ids[at] = entry.getKey();
            seqs[at++] = entry.getValue();
        }
        return new Position(ids, seqs);
    }

    int size() {
        return partitions.length;
    }

    int partitionAt(int index) {
        return partitions[index];
    }

    long nextAt(int index) {
        return next[index];
    }

    boolean has(int partition) {
        return Arrays.binarySearch(partitions, partition) >= 0;
    }

    /** 0 for a partition that is not in it. */
    long next(int partition) {
        int index = Arrays.binarySearch(partitions, partition);
        return index < 0 ? 0 : next[index];
    }

    Position with(int partition, long seq) {
        int index = Arrays.binarySearch(partitions, partition);
        if (index < 0) {
            NavigableMap<Integer, Long> more = map();
            more.put(partition, seq);
            return of(more);
        }
        if (next[index] == seq) {
            return this;
        }
        long[] moved = next.clone();
        moved[index] = seq;
        return new Position(partitions, moved);
    }

    /** The same partitions, none further than in the other. */
    boolean notAfter(Position other) {
        if (!Arrays.equals(partitions, other.partitions)) {
            return false;
        }
        for (int i = 0; i < next.length; i++) {
            if (next[i] > other.next[i]) {
                return false;
            }
        }
        return true;
    }

    NavigableMap<Integer, Long> map() {
        NavigableMap<Integer, Long> map = new TreeMap<>();
        for (int i = 0; i < partitions.length; i++) {
            map.put(partitions[i], next[i]);
        }
        return map;
    }

    String encode(String tenant) {
        return new Cursor(map()).encode(tenant);
    }

    byte[] encodeBytes(String tenant) {
        return encode(tenant).getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Position o && Arrays.equals(partitions, o.partitions) && Arrays.equals(next, o.next);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(partitions) + Arrays.hashCode(next);
    }

    @Override
    public String toString() {
        return map().toString();
    }
}
