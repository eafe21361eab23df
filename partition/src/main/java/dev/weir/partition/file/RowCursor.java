package dev.weir.partition.file;

import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A place among the rows of a source. */
final class RowCursor {
    private final RowSource source;
    private @Nullable RowBatch batch;
    private int row;
    private int run;

    RowCursor(RowSource source) throws IOException {
        this.source = source;
        load();
    }

    boolean atEnd() {
        return batch == null;
    }

    RowBatch batch() {
        if (batch == null) {
            throw new IllegalStateException("the source has ended");
        }
        return batch;
    }

    int row() {
        return row;
    }

    byte[] tags() {
        return batch().runTags(run);
    }

    long hash() {
        return batch().runHash(run);
    }

    long time() {
        return batch().times()[row];
    }

    long seq() {
        return batch().seqs()[row];
    }

    /** By series, time, seq. */
    int compare(RowCursor other) {
        int bySeries = Arrays.compareUnsigned(tags(), other.tags());
        if (bySeries != 0) {
            return bySeries;
        }
        int byTime = Long.compare(time(), other.time());
        return byTime != 0 ? byTime : Long.compare(seq(), other.seq());
    }

    /**
     * How many rows of this series, from here on, stand before another cursor's and have times of their own; at least the first.
     *
     * @param max at most
     */
    int distinctBefore(@Nullable RowCursor other, int max) {
        int end = Math.min(batch().runEnd(run), row + Math.max(1, max));
        boolean isBounded = other != null && Arrays.equals(tags(), other.tags());
        long bound = other == null ? Long.MAX_VALUE : other.time();
        long[] times = batch().times();
        int at = row + 1;
        while (at < end && times[at] != times[at - 1] && !(isBounded && times[at] >= bound)) {
            at++;
        }
        return at - row;
    }

    void advance(int count) throws IOException {
        row += count;
        if (row == batch().rows()) {
            load();
        } else if (row == batch().runEnd(run)) {
            run++;
        }
    }

    private void load() throws IOException {
        batch = source.next();
        row = 0;
        run = 0;
    }
}
