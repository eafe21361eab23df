package dev.weir.partition.entry;

/**
 * A part of a partition's history in the object store, in the form of a change segment.
 *
 * @param key in the store
 * @param sha256 of its bytes, 32 bytes
 * @param firstSeq of its first event
 * @param nextSeq one past its last event
 * @param firstCommittedAtNanos commit time of its first event
 * @param lastCommittedAtNanos commit time of its last event
 */
public record MovedSegment(
        String key,
        long bytes,
        byte[] sha256,
        long firstSeq,
        long nextSeq,
        long firstCommittedAtNanos,
        long lastCommittedAtNanos) {}
