package dev.weir.partition.engine;

import dev.weir.partition.catalog.SlotRange;
import dev.weir.partition.model.SeriesHash;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a partition remembers of its log besides definitions and points: fence, counters, drops, and which requests it has seen. Single-threaded;
 * every value is a function of the log alone. A manifest holds it whole.
 */
final class LogFacts {
    private final BatchWindows batches;
    private final IdempotencyWindow units;
    private final TreeMap<Integer, Long> drops = new TreeMap<>();
    private final Map<Integer, FileSet> files = new HashMap<>();
    /** Deletes since the table's {@link FileSet} was made, so that a delete copies no list. */
    private final Map<Integer, List<DeleteRule>> newDeletes = new HashMap<>();

    private MovedHistory moved = MovedHistory.NONE;
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

    /** The table's files go with it: nothing names them any more. */
    void dropped(int tableId, long seq) {
        drops.put(tableId, seq);
        files.remove(tableId);
        newDeletes.remove(tableId);
    }

    /** Ids of tables that have files or deletes in force, ascending. */
    SortedSet<Integer> tablesWithFiles() {
        TreeSet<Integer> tables = new TreeSet<>(files.keySet());
        tables.addAll(newDeletes.keySet());
        return tables;
    }

    FileSet files(int tableId) {
        FileSet known = files.getOrDefault(tableId, FileSet.EMPTY);
        List<DeleteRule> later = newDeletes.get(tableId);
        return later == null ? known : known.with(later);
    }

    void files(int tableId, FileSet now) {
        files.put(tableId, now);
        newDeletes.remove(tableId);
    }

    /** Rows that earlier events wrote are no longer part of the table; what of them is in files, or will be, has to be left out. */
    void deleted(int tableId, DeleteRule rule) {
        List<DeleteRule> later = newDeletes.computeIfAbsent(tableId, id -> new ArrayList<>());
        // One after the other of what is old stays one rule. Only the last is looked at: it is the hot path of apply.
        if (!later.isEmpty() && rule.replaces(later.getLast())) {
            later.removeLast();
        }
        later.add(rule);
    }

    /** What of the history is in the store. */
    MovedHistory moved() {
        return moved;
    }

    void moved(MovedHistory now) {
        moved = now;
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
