package dev.weir.partition.engine;

import dev.weir.partition.entry.ApplyReply;
import dev.weir.partition.entry.RecordBuilder;
import dev.weir.partition.entry.Section;
import dev.weir.partition.entry.Section.AppendSection;
import dev.weir.partition.entry.Section.CompactionSection;
import dev.weir.partition.entry.Section.DeleteSection;
import dev.weir.partition.entry.Section.ExpirySection;
import dev.weir.partition.entry.Section.FenceSection;
import dev.weir.partition.entry.Section.FlushSection;
import dev.weir.partition.entry.Section.LineageSection;
import dev.weir.partition.entry.Section.MoveSection;
import dev.weir.partition.entry.Section.MovesBeginSection;
import dev.weir.partition.entry.Section.RangeDeleteSection;
import dev.weir.partition.entry.Section.TickSection;
import dev.weir.partition.entry.Section.TrimSection;
import dev.weir.partition.entry.StoredFile;
import dev.weir.partition.write.AppendOutcome;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The core of a partition: folds entries of its log, one after the other, into events with seq, operation and commit time, and into what the next
 * entry is judged by. A function of the log alone: no clock, no file, no thread. Single-threaded.
 */
final class PartitionState {
    private final DefinitionTable definitions;
    private final LogFacts facts;
    private final PointStore points;
    private final FoldCounters counters;
    private final RecordBuilder record = new RecordBuilder();
    private final AppendFold appends;
    private final DeleteFold deletes;
    private final FileFold files;
    private final TableBuffers buffers;

    /**
     * What one entry came to.
     *
     * @param reply outcomes of its requests, encoded
     * @param record payload of the events, null where it caused none
     * @param events in the record
     * @param committedAtNanos of the events
     * @param trimSeq events before it may go from this node's disk; 0 says nothing
     */
    record Folded(byte[] reply, @Nullable ByteBuffer record, int events, long committedAtNanos, long trimSeq) {}

    /**
     * @param newDefinitions told of every definition that an entry makes, in the order of the log
     * @param written reads what earlier entries came to
     */
    PartitionState(
            DefinitionTable definitions,
            DefinitionFrames.Target newDefinitions,
            LogFacts facts,
            PointStore points,
            TableBuffers buffers,
            WrittenSince written,
            FoldCounters counters) {
        this.buffers = buffers;
        this.definitions = definitions;
        this.facts = facts;
        this.points = points;
        this.counters = counters;
        this.appends = new AppendFold(definitions, newDefinitions, facts, points, buffers, record, counters);
        this.deletes = new DeleteFold(definitions, facts, points, buffers, written, record, counters);
        this.files = new FileFold(facts, counters);
    }

    /** @param term in which the entry was taken */
    Folded fold(long term, long leaderClockNanos, List<Section> sections) {
        long now = facts.advance(leaderClockNanos);
        record.reset();
        long trimSeq = 0;
        List<AppendOutcome> outcomes = new ArrayList<>(sections.size());
        for (Section section : sections) {
            switch (section) {
                case AppendSection append -> outcomes.add(appends.fold(append, facts.nextSeq(), now));
                case DeleteSection delete -> outcomes.add(delete(delete, now));
                case RangeDeleteSection delete -> outcomes.add(deletes.fold(delete, facts.nextSeq(), now));
                case TrimSection trim -> trimSeq = Math.max(trimSeq, trim(trim));
                case TickSection tick -> {}
                case ExpirySection expiry -> expire(expiry);
                case FenceSection fence -> fence(new PartitionFence(fence.slots(), fence.epoch(), fence.generation()));
                case LineageSection lineage -> begin(lineage);
                case FlushSection flush -> flush(flush, term, now);
                case CompactionSection compaction -> files.fold(compaction, term);
                case MoveSection move -> trimSeq = Math.max(trimSeq, move(move, term));
                case MovesBeginSection begin -> files.beginMoves();
            }
        }
        return finish(outcomes, now, trimSeq);
    }

    DefinitionTable definitions() {
        return definitions;
    }

    LogFacts facts() {
        return facts;
    }

    PointStore points() {
        return points;
    }

    TableBuffers buffers() {
        return buffers;
    }

    private AppendOutcome delete(DeleteSection delete, long now) {
        AppendOutcome outcome = deletes.fold(delete, facts.nextSeq(), now);
        if (facts.drops().containsKey(delete.tableId())) {
            buffers.dropped(delete.tableId());
        }
        return outcome;
    }

    /** Returns before which events may go. */
    private long trim(TrimSection trim) {
        facts.moved(facts.moved().trimmed(Math.min(trim.seq(), facts.nextSeq())));
        return trim.seq();
    }

    /** Returns before which events may go from disks. */
    private long move(MoveSection move, long term) {
        return files.fold(move, term) ? move.segment().nextSeq() : 0;
    }

    private void flush(FlushSection flush, long term, long now) {
        if (files.fold(flush, term)) {
            buffers.flushed(
                    flush.tableId(),
                    flush.toSeq(),
                    flush.files().stream()
                            .mapToLong(StoredFile::lastCommittedAtNanos)
                            .max()
                            .orElse(now));
        }
    }

    private Folded finish(List<AppendOutcome> outcomes, long now, long trimSeq) {
        int events = record.count();
        ByteBuffer payload = events == 0 ? null : record.build();
        if (events > 0) {
            facts.committed(events);
        }
        counters.entries++;
        counters.events += events;
        long trim = Math.min(trimSeq, facts.nextSeq());
        return new Folded(new ApplyReply(outcomes).encode(), payload, events, now, trim);
    }

    private void expire(ExpirySection expiry) {
        facts.batches().expire(expiry.beforeNanos());
        facts.units().expire(expiry.beforeNanos());
        facts.units().evict(expiry.recordsMax());
    }

    /** A fence never goes back: two leaders in a row may both have proposed the first. */
    private void fence(PartitionFence next) {
        PartitionFence now = facts.fence();
        boolean newer = now == null
                || next.generation() > now.generation()
                || (next.generation() == now.generation() && next.epoch() > now.epoch());
        if (newer) {
            facts.fence(next);
        }
    }

    private void begin(LineageSection lineage) {
        if (facts.fence() == null) {
            facts.begin(lineage.firstSeq());
            fence(new PartitionFence(lineage.slots(), lineage.epoch(), lineage.generation()));
        }
    }
}
