package dev.weir.node.config;

import dev.weir.partition.write.WriterConfig;
import java.time.Duration;

/**
 * What a partition keeps, and how much.
 *
 * @param localBytes of its history on this node's disk, beyond which it is moved to the store; 0: none is
 */
public record StorageConfig(
        long segmentBytes,
        long retentionBytes,
        Duration retentionAge,
        long localBytes,
        int bufferRows,
        long writerBytesMax,
        long diskReserveBytes,
        Duration idempotencyWindow,
        int idempotencyEntries) {
    public StorageConfig {
        if (segmentBytes < 1 << 20 || segmentBytes > 1 << 30) {
            throw new ConfigException("segment.bytes: expected 1MiB to 1GiB, found " + segmentBytes);
        }
        if (retentionBytes < segmentBytes) {
            throw new ConfigException(
                    "retention.bytes: expected at least segment.bytes (" + segmentBytes + "), found " + retentionBytes);
        }
        if (localBytes != 0 && localBytes < segmentBytes) {
            throw new ConfigException("retention.local-bytes: expected 0 or at least segment.bytes (" + segmentBytes
                    + "), found " + localBytes);
        }
        if (writerBytesMax < 1 << 20) {
            throw new ConfigException("writer.bytes-max: expected at least 1MiB, found " + writerBytesMax);
        }
        Duration windowMax = WriterConfig.IDEMPOTENCY_WINDOW_MAX;
        if (!idempotencyWindow.isPositive() || idempotencyWindow.compareTo(windowMax) > 0) {
            throw new ConfigException("idempotency.window: expected more than 0s and at most " + windowMax.toHours()
                    + "h, found " + idempotencyWindow);
        }
        if (idempotencyEntries < 1 || idempotencyEntries > WriterConfig.IDEMPOTENCY_ENTRIES_MAX) {
            throw new ConfigException("idempotency.entries: expected 1 to " + WriterConfig.IDEMPOTENCY_ENTRIES_MAX
                    + ", found " + idempotencyEntries);
        }
    }

    static StorageConfig of(Settings settings) {
        return new StorageConfig(
                settings.bytes("segment.bytes"),
                settings.bytes("retention.bytes"),
                settings.duration("retention.age"),
                settings.bytes("retention.local-bytes"),
                settings.count("buffer.rows"),
                settings.bytes("writer.bytes-max"),
                settings.bytes("disk.reserve-bytes"),
                settings.duration("idempotency.window"),
                settings.count("idempotency.entries"));
    }
}
