package dev.weir.partition.write;

import java.time.Duration;

/**
 * How a partition's leader gathers and limits writes.
 *
 * @param bytesMax {@code writer.bytes-max}: encoded bytes of requests that wait or are in flight in one partition, then OVERLOADED
 * @param entryBytes a log entry takes no more requests once it has so many bytes
 * @param entriesMax log entries in flight at a time
 * @param pipelineBytes while an entry is in flight, another follows once so many bytes wait
 * @param seriesMax series of one table in one partition, 0 without limit: {@code limits.series-per-table}
 * @param retentionBytes {@code retention.bytes}: history of a partition beyond so many bytes may go
 * @param retentionAge {@code retention.age}: history older than this may go; in both cases only what holds no row that the table still has
 * @param idempotencyWindow {@code idempotency.window}: how long a client's key is remembered; at most {@link #IDEMPOTENCY_WINDOW_MAX}
 * @param idempotencyEntries {@code idempotency.entries}: chunks of requests remembered by key in a partition; at most
 *     {@link #IDEMPOTENCY_ENTRIES_MAX}
 */
public record WriterConfig(
        long bytesMax,
        int entryBytes,
        int entriesMax,
        int pipelineBytes,
        int seriesMax,
        long retentionBytes,
        Duration retentionAge,
        Duration idempotencyWindow,
        int idempotencyEntries) {
    /** Every replica forgets then, whatever is configured: part of the log's format. */
    public static final Duration IDEMPOTENCY_WINDOW_MAX = Duration.ofHours(24);

    /** Likewise. */
    public static final int IDEMPOTENCY_ENTRIES_MAX = 65_536;

    public static final WriterConfig DEFAULT = new WriterConfig(
            16L << 20, 512 << 10, 4, 64 << 10, 0, 1L << 30, Duration.ofDays(7), Duration.ofHours(1), 16_384);

    public WriterConfig {
        if (bytesMax < 1 || entryBytes < 1 || entriesMax < 1 || pipelineBytes < 1 || seriesMax < 0) {
            throw new IllegalArgumentException("writer: expected limits of at least 1 and series of at least 0, found "
                    + bytesMax + ", " + entryBytes + ", " + entriesMax + ", " + pipelineBytes + ", " + seriesMax);
        }
    }
}
