package dev.weir.partition.engine;

import java.util.Arrays;
import org.agrona.collections.Int2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Where each series' newest point was written: the seqs of the events that share its timestamp, oldest first. Their fields, merged in this
 * order, are the series' latest value. Single-threaded.
 */
final class LatestRefs {
    /** The newest point is known, but not which events wrote it: a newer one was deleted. They have to be searched for. */
    static final long UNKNOWN = -1;

    private static final long NONE = 0;
    private static final long[] NO_SEQS = {};

    private long[] last = new long[64];
    private final Int2ObjectHashMap<long[]> earlier = new Int2ObjectHashMap<>();
    private long earlierCount;

    /** An event wrote a point newer than all others of its series. */
    void newer(int series, long seq) {
        if (series >= last.length) {
            last = Arrays.copyOf(last, Math.max(series + 1, last.length + (last.length >> 1)));
        }
        if (earlierCount > 0) {
            forgetEarlier(series);
        }
        last[series] = seq;
    }

    /** An event wrote the newest point again. */
    void again(int series, long seq) {
        if (last[series] == UNKNOWN) {
            return;
        }
        long @Nullable [] before = earlier.get(series);
        int count = before == null ? 0 : (int) before[0];
        if (before == null) {
            before = new long[3];
            earlier.put(series, before);
        } else if (count + 1 == before.length) {
            before = Arrays.copyOf(before, before.length * 2);
            earlier.put(series, before);
        }
        before[count + 1] = last[series];
        before[0] = count + 1L;
        earlierCount++;
        last[series] = seq;
    }

    /** The series has no point any more. */
    void clear(int series) {
        if (series < last.length) {
            forgetEarlier(series);
            last[series] = NONE;
        }
    }

    /** The series' newest point is one whose events are not known. */
    void lose(int series) {
        forgetEarlier(series);
        last[series] = UNKNOWN;
    }

    /** What {@link #seqs} said once, of a series that is not known yet. */
    void restore(int series, long[] seqs) {
        if (seqs.length == 0) {
            newer(series, UNKNOWN);
            return;
        }
        newer(series, seqs[0]);
        for (int i = 1; i < seqs.length; i++) {
            again(series, seqs[i]);
        }
    }

    /** Ascending; null where they have to be searched for. */
    long @Nullable [] seqs(int series) {
        if (series >= last.length || last[series] == NONE) {
            return NO_SEQS;
        }
        if (last[series] == UNKNOWN) {
            return null;
        }
        long @Nullable [] before = earlier.get(series);
        if (before == null) {
            return new long[] {last[series]};
        }
        int count = (int) before[0];
        long[] all = Arrays.copyOfRange(before, 1, count + 2);
        all[count] = last[series];
        return all;
    }

    /** Seqs kept beyond one a series. */
    long earlierCount() {
        return earlierCount;
    }

    private void forgetEarlier(int series) {
        long @Nullable [] before = earlier.remove(series);
        if (before != null) {
            earlierCount -= before[0];
        }
    }
}
