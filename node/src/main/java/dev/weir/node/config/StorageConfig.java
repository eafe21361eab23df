package dev.weir.node.config;

import java.time.Duration;

/** What a partition keeps, and how much. */
public record StorageConfig(
        long segmentBytes,
        long retentionBytes,
        Duration retentionAge,
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
        if (writerBytesMax < 1 << 20) {
            throw new ConfigException("writer.bytes-max: expected at least 1MiB, found " + writerBytesMax);
        }
    }

    static StorageConfig of(Settings settings) {
        return new StorageConfig(
                settings.bytes("segment.bytes"),
                settings.bytes("retention.bytes"),
                settings.duration("retention.age"),
                settings.count("buffer.rows"),
                settings.bytes("writer.bytes-max"),
                settings.bytes("disk.reserve-bytes"),
                settings.duration("idempotency.window"),
                settings.count("idempotency.entries"));
    }
}
