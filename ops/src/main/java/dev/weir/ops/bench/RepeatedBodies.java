package dev.weir.ops.bench;

import java.util.AbstractList;
import java.util.List;

/**
 * The same bodies again and again, each round a fixed time after the one before: long runs of new rows from few bytes. A body is copied when
 * it is asked for, its times rewritten in the copy.
 *
 * <p>Expects lines that end in a space, a time in nanoseconds of {@value #TIME_DIGITS} digits (the years 2001 to 2262) and a line feed.
 */
final class RepeatedBodies extends AbstractList<byte[]> {
    static final int TIME_DIGITS = 19;

    private final List<byte[]> first;
    private final int rounds;
    private final long roundNanos;

    RepeatedBodies(List<byte[]> first, int rounds, long roundNanos) {
        this.first = first;
        this.rounds = rounds;
        this.roundNanos = roundNanos;
    }

    @Override
    public int size() {
        return Math.multiplyExact(first.size(), rounds);
    }

    @Override
    public byte[] get(int index) {
        byte[] body = first.get(index % first.size());
        int round = round(index);
        return round == 0 ? body : later(body.clone(), round * roundNanos);
    }

    /** Of all rounds, in sum. */
    long bytes() {
        return rounds * first.stream().mapToLong(body -> body.length).sum();
    }

    /** Which round a body belongs to, from 0. */
    int round(int index) {
        return index / first.size();
    }

    private static byte[] later(byte[] body, long nanos) {
        for (int i = TIME_DIGITS; i < body.length; i++) {
            if (body[i] == '\n') {
                shift(body, i - TIME_DIGITS, nanos);
                i += TIME_DIGITS;
            }
        }
        return body;
    }

    private static void shift(byte[] body, int from, long nanos) {
        long time = 0;
        for (int i = from; i < from + TIME_DIGITS; i++) {
            time = time * 10 + body[i] - '0';
        }
        time += nanos;
        for (int i = from + TIME_DIGITS - 1; i >= from; i--) {
            body[i] = (byte) ('0' + time % 10);
            time /= 10;
        }
    }
}
