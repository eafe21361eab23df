package dev.weir.partition.entry;

import java.util.Arrays;

/** Arrays that one builder's encoders work in, so that encoding allocates nothing. Contents are undefined between calls but for {@link #zeros}. */
final class Scratch {
    private long[] longs = new long[0];
    private long[] deltas = new long[0];
    private long[] zeros = new long[0];
    private int[] ints = new int[0];

    long[] longs(int count) {
        if (longs.length < count) {
            longs = new long[count + (count >> 1)];
        }
        return longs;
    }

    /** Apart from {@link #longs}, for {@link LongCodec}. */
    long[] deltas(int count) {
        if (deltas.length < count) {
            deltas = new long[count + (count >> 1)];
        }
        return deltas;
    }

    /** Apart from the others; zero up to {@code count}. */
    long[] zeros(int count) {
        if (zeros.length < count) {
            zeros = new long[count];
        } else {
            Arrays.fill(zeros, 0, count, 0);
        }
        return zeros;
    }

    int[] ints(int count) {
        if (ints.length < count) {
            ints = new int[count + (count >> 1)];
        }
        return ints;
    }
}
