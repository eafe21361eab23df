package dev.weir.partition.engine;

import dev.weir.partition.engine.TableBuffers.TableBuffer;
import java.time.Duration;

/**
 * When a table's buffer becomes files. Pure.
 *
 * @param age {@code flush.age}: rows wait no longer
 * @param rows {@code flush.rows}: so many rows are enough, {@code minInterval} after the table's last flush
 * @param bytes {@code flush.bytes}: so many encoded bytes are enough at once
 * @param minInterval {@code flush.min-interval}: holds {@code rows} back, so that fast tables make large files; 0 does not
 */
public record FlushPolicy(Duration age, long rows, long bytes, Duration minInterval) {
    public static final FlushPolicy DEFAULT =
            new FlushPolicy(Duration.ofMinutes(15), 10_000, 64L << 20, Duration.ofSeconds(5));

    public FlushPolicy {
        if (age.isNegative() || age.isZero() || rows < 1 || bytes < 1 || minInterval.isNegative()) {
            throw new IllegalArgumentException(
                    "flush: expected an age above 0, at least 1 row and 1 byte, an interval of at least 0; found " + age
                            + ", " + rows + ", " + bytes + ", " + minInterval);
        }
    }

    /**
     * @param nowNanos wall clock, ns since 1970
     * @param lastFlushNanos of the table here, {@link Long#MIN_VALUE} where none is known
     */
    boolean isDue(TableBuffer buffer, long nowNanos, long lastFlushNanos) {
        if (buffer.rows() == 0) {
            return false;
        }
        boolean rested = lastFlushNanos == Long.MIN_VALUE || nowNanos - lastFlushNanos >= minInterval.toNanos();
        return buffer.bytes() >= bytes
                || nowNanos - buffer.firstCommittedAtNanos() >= age.toNanos()
                || (buffer.rows() >= rows && rested);
    }
}
