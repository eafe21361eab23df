package dev.weir.partition.engine;

import dev.weir.partition.catalog.SlotRange;
import dev.weir.partition.model.SeriesHash;
import java.util.BitSet;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a partition remembers of its log besides definitions and points: fence, counters, drops, and which requests it has seen. Single-threaded;
 * every value is a function of the log alone. A manifest holds it whole.
 */
final class LogFacts {
    private final BatchWindows batches;
    private final IdempotencyWindow units;
    private final TreeMap<Integer, Long> drops = new TreeMap<>();
    private final BitSet owned = new BitSet(SeriesHash.SLOTS);
    private @Nullable PartitionFence fence;
    private long firstSeq = 1;
    private long nextSeq = 1;
    private long resolvedAtNanos;
    private long lastCommittedAtNanos;

    LogFacts() {
        this(new BatchWindows(), new IdempotencyWindow());
    }

    LogFacts(BatchWindows batches, IdempotencyWindow units) {
        this.batches = batches;
        this.units = units;
    }

    BatchWindows batches() {
        return batches;
    }

    IdempotencyWindow units() {
        return units;
    }

    /** Ids of tables whose drop this log holds, with the seq of the event. */
    SortedMap<Integer, Long> drops() {
        return drops;
    }

    void dropped(int tableId, long seq) {
        drops.put(tableId, seq);
    }

    /** Null until the log's first entry was applied. */
    @Nullable
    PartitionFence fence() {
        return fence;
    }

    void fence(PartitionFence next) {
        fence = next;
        owned.clear();
        for (SlotRange range : next.slots()) {
            owned.set(range.from(), range.to());
        }
    }

    boolean owns(int slot) {
        return owned.get(slot);
    }

    long firstSeq() {
        return firstSeq;
    }

    long nextSeq() {
        return nextSeq;
    }

    /** The partition begins where its parents ended. */
    void begin(long seq) {
        firstSeq = seq;
        nextSeq = seq;
    }

    /** No later event will have a commit time up to this one. */
    long resolvedAtNanos() {
        return resolvedAtNanos;
    }

    /** Commit time of the last event, 0 when none. */
    long lastCommittedAtNanos() {
        return lastCommittedAtNanos;
    }

    /** Time of an entry: later than that of every entry before, and not before the leader's clock. */
    long advance(long leaderClockNanos) {
        resolvedAtNanos = Math.max(resolvedAtNanos + 1, leaderClockNanos);
        return resolvedAtNanos;
    }

    void committed(int events) {
        nextSeq += events;
        lastCommittedAtNanos = resolvedAtNanos;
    }

    /** Of a manifest. */
    void restore(long first, long next, long resolvedAt, long lastCommittedAt) {
        firstSeq = first;
        nextSeq = next;
        resolvedAtNanos = resolvedAt;
        lastCommittedAtNanos = lastCommittedAt;
    }
}
