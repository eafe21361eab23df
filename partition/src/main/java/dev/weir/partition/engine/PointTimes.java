package dev.weir.partition.engine;

import java.util.Arrays;
import org.agrona.collections.Int2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The timestamps of each series that are in memory: its newest point always, older ones until a snapshot moves them to {@link KeyRuns}. Tells an
 * insert from an update. Series are numbered densely from 0.
 *
 * <p>A series is a sorted array of its latest times and, once that is full, {@link TimeChunks} before it: 8 to 16 bytes a point. A time later
 * than the newest is appended without a search. Single-threaded.
 */
final class PointTimes {
    /** The point existed, and is not the series' newest. */
    static final int EXISTED = 0;

    /** The point existed, and is the series' newest. */
    static final int EXISTED_NEWEST = 1;

    /** The point is new, and older than the series' newest. */
    static final int ADDED_OLDER = 2;

    /** The point is new, and the series' newest now. */
    static final int ADDED_NEWEST = 3;

    private static final int FIRST = 2;

    private long[][] tails = new long[64][];
    private int[] tailCounts = new int[64];
    private int[] counts = new int[64];
    private final Int2ObjectHashMap<TimeChunks> older = new Int2ObjectHashMap<>();
    private long points;

    /** Points of all series. */
    long points() {
        return points;
    }

    /** Series with points have lower numbers. */
    int seriesEnd() {
        return counts.length;
    }

    int count(int series) {
        return series < counts.length ? counts[series] : 0;
    }

    /** The newest time of a series that has points. */
    long newest(int series) {
        return tails[series][tailCounts[series] - 1];
    }

    /** The oldest time in memory of a series that has points. */
    long oldest(int series) {
        TimeChunks before = older.get(series);
        return before == null ? tails[series][0] : before.first();
    }

    /** Adds a point where the series has none at that time. Returns one of the four constants. */
    int add(int series, long time) {
        if (series >= tails.length) {
            grow(series);
        }
        int count = tailCounts[series];
        if (count > 0) {
            long newest = tails[series][count - 1];
            if (time <= newest) {
                return time == newest ? EXISTED_NEWEST : addBehind(series, time);
            }
        }
        append(series, count, time);
        counts[series]++;
        points++;
        return ADDED_NEWEST;
    }

    boolean contains(int series, long time) {
        if (count(series) == 0) {
            return false;
        }
        long[] tail = tails[series];
        if (time >= tail[0]) {
            return Arrays.binarySearch(tail, 0, tailCounts[series], time) >= 0;
        }
        TimeChunks before = older.get(series);
        return before != null && before.contains(time);
    }

    /** Removes all points of a series. Returns how many there were. */
    int clear(int series) {
        int removed = count(series);
        if (removed > 0) {
            tails[series] = new long[FIRST];
            tailCounts[series] = 0;
            counts[series] = 0;
            older.remove(series);
            points -= removed;
        }
        return removed;
    }

    /** Forgets all but the newest point of each series: the others are in a file. */
    void keepNewest() {
        for (int series = 0; series < counts.length; series++) {
            if (counts[series] > 1) {
                long newest = newest(series);
                clear(series);
                add(series, newest);
            }
        }
    }

    /** Removes the points between two times, both inclusive. Returns how many there were. */
    int removeRange(int series, long from, long to) {
        long[] all = times(series);
        int low = lowerBound(all, from);
        int high = low;
        while (high < all.length && all[high] <= to) {
            high++;
        }
        if (low < high) {
            clear(series);
            for (int i = 0; i < all.length; i++) {
                if (i < low || i >= high) {
                    add(series, all[i]);
                }
            }
        }
        return high - low;
    }

    /** All times of a series, ascending. */
    long[] times(int series) {
        long[] all = new long[count(series)];
        if (all.length > 0) {
            TimeChunks before = older.get(series);
            int at = before == null ? 0 : before.copyTo(all, 0);
            System.arraycopy(tails[series], 0, all, at, tailCounts[series]);
        }
        return all;
    }

    private void append(int series, int count, long time) {
        long @Nullable [] tail = tails[series];
        if (tail == null) {
            tail = new long[FIRST];
            tails[series] = tail;
        } else if (count == tail.length) {
            if (count < TimeChunks.CHUNK) {
                tail = Arrays.copyOf(tail, count * 2);
            } else {
                chunksBefore(series).append(tail, count);
                tail = new long[TimeChunks.CHUNK];
                count = 0;
            }
            tails[series] = tail;
        }
        tail[count] = time;
        tailCounts[series] = count + 1;
    }

    private int addBehind(int series, long time) {
        TimeChunks before = older.get(series);
        boolean added;
        if (before != null && time < tails[series][0]) {
            added = before.add(time);
        } else {
            added = addToTail(series, time);
        }
        if (added) {
            counts[series]++;
            points++;
        }
        return added ? ADDED_OLDER : EXISTED;
    }

    private boolean addToTail(int series, long time) {
        long[] tail = tails[series];
        int count = tailCounts[series];
        int place = Arrays.binarySearch(tail, 0, count, time);
        if (place >= 0) {
            return false;
        }
        place = -place - 1;
        if (count == TimeChunks.CHUNK) {
            int half = count / 2;
            splitTail(series, half);
            if (place < half) {
                return chunksBefore(series).add(time);
            }
            place -= half;
            count -= half;
        } else if (count == tail.length) {
            tail = Arrays.copyOf(tail, count * 2);
            tails[series] = tail;
        }
        TimeChunks.insert(tail, count, place, time);
        tailCounts[series] = count + 1;
        return true;
    }

    private void splitTail(int series, int half) {
        long[] tail = tails[series];
        int rest = tailCounts[series] - half;
        chunksBefore(series).append(Arrays.copyOf(tail, half), half);
        System.arraycopy(tail, half, tail, 0, rest);
        tailCounts[series] = rest;
    }

    private TimeChunks chunksBefore(int series) {
        return older.computeIfAbsent(series, s -> new TimeChunks());
    }

    private void grow(int series) {
        int length = Math.max(series + 1, tails.length + (tails.length >> 1));
        tails = Arrays.copyOf(tails, length);
        tailCounts = Arrays.copyOf(tailCounts, length);
        counts = Arrays.copyOf(counts, length);
    }

    private static int lowerBound(long[] times, long from) {
        int found = Arrays.binarySearch(times, from);
        return found >= 0 ? found : -found - 1;
    }
}
