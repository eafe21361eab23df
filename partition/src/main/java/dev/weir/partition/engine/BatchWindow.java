package dev.weir.partition.engine;

import dev.weir.partition.write.AppendOutcome;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The batches of one front door's process that were applied, by counter, with their outcomes: the newest {@link #BATCHES_MAX}, none older than
 * {@link #AGE_NANOS} by entry time, fewer where many rows were voided. Single-threaded.
 */
final class BatchWindow {
    static final int BATCHES_MAX = 8192;
    /** Rows listed as not stored in all outcomes together. */
    static final int VOIDED_ROWS_MAX = 65_536;

    static final long AGE_NANOS = 600_000_000_000L;

    private final long incarnation;
    private long[] counters = new long[16];
    private long[] times = new long[16];
    private @Nullable AppendOutcome[] outcomes = new AppendOutcome[16];
    private int head;
    private int tail;
    private int voidedRows;
    private long evictedThrough;

    BatchWindow(long incarnation) {
        this(incarnation, Long.MIN_VALUE);
    }

    /** @param evictedThrough no counter up to this one can be told new from repeated */
    BatchWindow(long incarnation, long evictedThrough) {
        this.incarnation = incarnation;
        this.evictedThrough = evictedThrough;
    }

    long incarnation() {
        return incarnation;
    }

    long evictedThrough() {
        return evictedThrough;
    }

    int size() {
        return tail - head;
    }

    /** Remembered batches by place, 0 being the lowest counter. */
    long counter(int place) {
        return counters[head + place];
    }

    long time(int place) {
        return times[head + place];
    }

    AppendOutcome outcome(int place) {
        return Objects.requireNonNull(outcomes[head + place]);
    }

    long newestTime() {
        return size() == 0 ? Long.MIN_VALUE : times[tail - 1];
    }

    @Nullable
    AppendOutcome find(long counter) {
        int place = Arrays.binarySearch(counters, head, tail, counter);
        return place < 0 ? null : outcomes[place];
    }

    void remember(long counter, AppendOutcome outcome, long now) {
        insert(counter, outcome, now);
        evict(now);
    }

    /** Of a manifest. */
    void restore(long counter, long time, AppendOutcome outcome) {
        insert(counter, outcome, time);
    }

    private void insert(long counter, AppendOutcome outcome, long now) {
        int place = tail == head || counter > counters[tail - 1]
                ? tail
                : -Arrays.binarySearch(counters, head, tail, counter) - 1;
        if (place < 0) {
            throw new IllegalStateException("batch " + counter + " is remembered already");
        }
        place -= room();
        System.arraycopy(counters, place, counters, place + 1, tail - place);
        System.arraycopy(times, place, times, place + 1, tail - place);
        System.arraycopy(outcomes, place, outcomes, place + 1, tail - place);
        counters[place] = counter;
        times[place] = now;
        outcomes[place] = outcome;
        tail++;
        voidedRows += voidedRows(outcome);
    }

    /** Forgets batches of entries before a time. */
    void expire(long beforeNanos) {
        while (size() > 0 && times[head] < beforeNanos) {
            evictOldest();
        }
    }

    private void evict(long now) {
        while (size() > 1 && (size() > BATCHES_MAX || voidedRows > VOIDED_ROWS_MAX || now - times[head] > AGE_NANOS)) {
            evictOldest();
        }
    }

    private void evictOldest() {
        evictedThrough = Math.max(evictedThrough, counters[head]);
        voidedRows -= voidedRows(outcome(0));
        outcomes[head++] = null;
    }

    private static int voidedRows(AppendOutcome outcome) {
        return outcome instanceof AppendOutcome.Applied applied
                ? applied.voided().size()
                : 0;
    }

    /** Makes room for one more. Returns by how many places all moved down. */
    private int room() {
        if (tail < counters.length) {
            return 0;
        }
        int moved = head;
        int length = head > counters.length / 2 ? counters.length : counters.length * 2;
        counters = moved(counters, length);
        times = moved(times, length);
        @Nullable AppendOutcome[] more = new AppendOutcome[length];
        System.arraycopy(outcomes, head, more, 0, tail - head);
        outcomes = more;
        tail -= moved;
        head = 0;
        return moved;
    }

    private long[] moved(long[] values, int length) {
        long[] more = new long[length];
        System.arraycopy(values, head, more, 0, tail - head);
        return more;
    }
}
