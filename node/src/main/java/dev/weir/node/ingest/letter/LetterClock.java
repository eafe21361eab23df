package dev.weir.node.ingest.letter;

import java.util.concurrent.atomic.AtomicLong;

/** Times of this node's letters: those of the clock, each handed out once, in rising order. Any thread. */
final class LetterClock {
    private final AtomicLong next = new AtomicLong(Long.MIN_VALUE);

    /** Returns the first of {@code count} times, which follow each other nanosecond by nanosecond. */
    long take(int count, long nowNanos) {
        return next.updateAndGet(free -> Math.max(free, nowNanos) + count) - count;
    }
}
