package dev.weir.partition.engine;

import java.util.concurrent.atomic.LongAdder;

/**
 * How much all replicas of a node may hold in buffers. Replicas count what they apply; leaders refuse new rows once a bound is passed, so the
 * bounds may be exceeded by what is in flight, on this node or, where the leader's node holds less, elsewhere.
 *
 * <p>Threading: any thread.
 */
public final class BufferBudget {
    /** {@code buffer.rows}. */
    public static final long ROWS_MAX = 12_000_000;

    /** Of fields of rows that no file holds yet, encoded. */
    public static final long BYTES_MAX = 16L << 30;

    private final long rowsMax;
    private final long bytesMax;
    private final LongAdder rows = new LongAdder();
    private final LongAdder bytes = new LongAdder();

    public BufferBudget(long rowsMax, long bytesMax) {
        if (rowsMax < 1 || bytesMax < 1) {
            throw new IllegalArgumentException(
                    "buffers: expected at least 1 row and 1 byte, found " + rowsMax + " and " + bytesMax);
        }
        this.rowsMax = rowsMax;
        this.bytesMax = bytesMax;
    }

    public long rows() {
        return rows.sum();
    }

    public long bytes() {
        return bytes.sum();
    }

    public long rowsMax() {
        return rowsMax;
    }

    public long bytesMax() {
        return bytesMax;
    }

    /** How much of it is taken: 1 is all. */
    public double fill() {
        return Math.max((double) rows() / rowsMax, (double) bytes() / bytesMax);
    }

    public boolean full() {
        return rows() >= rowsMax || bytes() >= bytesMax;
    }

    /** What is full, with its limit, for a refusal. */
    public String describe() {
        return rows() >= rowsMax
                ? "buffer.rows " + rowsMax + " reached: " + rows() + " rows"
                : "bytes of buffered rows: the limit of " + bytesMax + " reached: " + bytes() + " bytes";
    }

    void add(long moreRows, long moreBytes) {
        rows.add(moreRows);
        bytes.add(moreBytes);
    }
}
