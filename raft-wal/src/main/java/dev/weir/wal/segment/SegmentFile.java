package dev.weir.wal.segment;

/**
 * One segment as a manifest names it.
 *
 * @param name file name within the replica's segment folder
 * @param firstSeq seq of its first event
 * @param nextSeq one past the seq of its last event
 * @param firstCommittedAtNanos commit time of its first record
 * @param lastCommittedAtNanos commit time of its last record
 * @param bytes its length through its last record
 * @param crc32c running checksum of these bytes
 * @param sealed no record will be added
 */
public record SegmentFile(
        String name,
        long firstSeq,
        long nextSeq,
        long firstCommittedAtNanos,
        long lastCommittedAtNanos,
        long bytes,
        int crc32c,
        boolean sealed) {}
