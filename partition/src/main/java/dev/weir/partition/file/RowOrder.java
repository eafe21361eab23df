package dev.weir.partition.file;

import java.time.LocalDate;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The rows' order, day and range, checked as they come. */
final class RowOrder {
    static final long DAY_NANOS = TimeUnit.DAYS.toNanos(1);

    private final FileHead head;
    private byte @Nullable [] series;
    private long time;
    private long day;
    private long minTime = Long.MAX_VALUE;
    private long maxTime = Long.MIN_VALUE;
    private long minSeq = Long.MAX_VALUE;
    private long maxSeq = Long.MIN_VALUE;

    RowOrder(FileHead head) {
        this.head = head;
    }

    long minTime() {
        return minTime;
    }

    long maxTime() {
        return maxTime;
    }

    long minSeq() {
        return minSeq;
    }

    long maxSeq() {
        return maxSeq;
    }

    boolean isNewSeries(byte[] tags) {
        return !Arrays.equals(series, tags);
    }

    void check(RowBatch batch, int run, int from, int to) {
        long[] times = batch.times();
        if (isNewSeries(batch.runTags(run))) {
            if (series != null && Arrays.compareUnsigned(series, batch.runTags(run)) > 0) {
                throw refused("a series comes after one that sorts behind it", batch.seqs()[from]);
            }
            series = batch.runTags(run);
        } else if (times[from] <= time) {
            throw refused(
                    "time " + times[from] + " after " + time + " in one series, expected rising ones",
                    batch.seqs()[from]);
        }
        if (minTime > maxTime) {
            day = Math.floorDiv(times[from], DAY_NANOS);
        }
        for (int row = from + 1; row < to; row++) {
            if (times[row] <= times[row - 1]) {
                throw refused(
                        "time " + times[row] + " after " + times[row - 1] + " in one series, expected rising ones",
                        batch.seqs()[row]);
            }
        }
        time = times[to - 1];
        checkDay(times[from], time, batch.seqs()[from]);
        checkSeqs(batch.seqs(), from, to);
    }

    private void checkDay(long first, long last, long seq) {
        if (Math.floorDiv(first, DAY_NANOS) != day || Math.floorDiv(last, DAY_NANOS) != day) {
            throw refused("times " + first + " to " + last + ", expected day " + LocalDate.ofEpochDay(day), seq);
        }
        minTime = Math.min(minTime, first);
        maxTime = Math.max(maxTime, last);
    }

    private void checkSeqs(long[] seqs, int from, int to) {
        for (int row = from; row < to; row++) {
            if (seqs[row] < head.firstSeq() || seqs[row] > head.lastSeq()) {
                throw refused("expected a seq of " + head.firstSeq() + " to " + head.lastSeq(), seqs[row]);
            }
            minSeq = Math.min(minSeq, seqs[row]);
            maxSeq = Math.max(maxSeq, seqs[row]);
        }
    }

    private IllegalArgumentException refused(String what, long seq) {
        return new IllegalArgumentException("data file of " + head.schema() + ", seq " + seq + ": " + what);
    }
}
