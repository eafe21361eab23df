package dev.weir.partition.engine;

import java.util.Arrays;

/**
 * A sorted set of timestamps in chunks of at most {@link #CHUNK}: the older part of a long series. An insert anywhere moves one chunk, not the
 * set.
 */
final class TimeChunks {
    static final int CHUNK = 256;

    private long[][] chunks = new long[4][];
    private int[] counts = new int[4];
    private int size;

    /** Adds a full or partial chunk, all of whose {@code count} times are later than all here. Keeps the array. */
    void append(long[] times, int count) {
        room();
        chunks[size] = times;
        counts[size++] = count;
    }

    /** Adds one time that is before the series' tail. Returns false when it was here. */
    boolean add(long time) {
        int at = chunkOf(time);
        long[] chunk = chunks[at];
        int count = counts[at];
        int place = Arrays.binarySearch(chunk, 0, count, time);
        if (place >= 0) {
            return false;
        }
        if (count == CHUNK) {
            split(at);
            return add(time);
        }
        if (count == chunk.length) {
            chunk = Arrays.copyOf(chunk, Math.min(CHUNK, count * 2));
            chunks[at] = chunk;
        }
        insert(chunk, count, -place - 1, time);
        counts[at]++;
        return true;
    }

    boolean contains(long time) {
        int at = chunkOf(time);
        return Arrays.binarySearch(chunks[at], 0, counts[at], time) >= 0;
    }

    /** The earliest time. */
    long first() {
        return chunks[0][0];
    }

    /** All times, ascending, into {@code target} from {@code offset} on. */
    int copyTo(long[] target, int offset) {
        int at = offset;
        for (int i = 0; i < size; i++) {
            System.arraycopy(chunks[i], 0, target, at, counts[i]);
            at += counts[i];
        }
        return at - offset;
    }

    static void insert(long[] times, int count, int place, long time) {
        System.arraycopy(times, place, times, place + 1, count - place);
        times[place] = time;
    }

    private int chunkOf(long time) {
        int low = 0;
        int high = size - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (chunks[middle][0] <= time) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    private void split(int at) {
        room();
        System.arraycopy(chunks, at, chunks, at + 1, size - at);
        System.arraycopy(counts, at, counts, at + 1, size - at);
        size++;
        long[] upper = new long[CHUNK];
        int half = CHUNK / 2;
        System.arraycopy(chunks[at], half, upper, 0, CHUNK - half);
        chunks[at + 1] = upper;
        counts[at + 1] = CHUNK - half;
        counts[at] = half;
    }

    private void room() {
        if (size == chunks.length) {
            chunks = Arrays.copyOf(chunks, size * 2);
            counts = Arrays.copyOf(counts, size * 2);
        }
    }
}
