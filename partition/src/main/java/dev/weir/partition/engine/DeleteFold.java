package dev.weir.partition.engine;

import dev.weir.partition.entry.CanonicalTags;
import dev.weir.partition.entry.RecordBuilder;
import dev.weir.partition.entry.Section.DeleteSection;
import dev.weir.partition.entry.Section.RangeDeleteSection;
import dev.weir.partition.entry.TableEvent;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.EventType;
import dev.weir.partition.model.SeriesHash;
import dev.weir.partition.model.SeriesKey;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import dev.weir.partition.write.AppendOutcome;
import dev.weir.partition.write.AppendOutcome.Applied;
import dev.weir.partition.write.AppendOutcome.VoidCause;
import dev.weir.partition.write.AppendOutcome.VoidedRow;
import dev.weir.partition.write.BatchId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Folds deletes: of a series, of a whole table, of a range. Each gives one event, also where it finds no row. Single-threaded.
 */
final class DeleteFold {
    private final DefinitionTable definitions;
    private final LogFacts facts;
    private final PointStore points;
    private final TableBuffers buffers;
    private final WrittenSince written;
    private final RecordBuilder record;
    private final FoldCounters counters;

    DeleteFold(
            DefinitionTable definitions,
            LogFacts facts,
            PointStore points,
            TableBuffers buffers,
            WrittenSince written,
            RecordBuilder record,
            FoldCounters counters) {
        this.definitions = definitions;
        this.facts = facts;
        this.points = points;
        this.buffers = buffers;
        this.written = written;
        this.record = record;
        this.counters = counters;
    }

    /** @param recordSeq seq of the first event of the record that is being built */
    AppendOutcome fold(DeleteSection section, long recordSeq, long now) {
        AppendOutcome before = repeated(section.batch());
        if (before != null) {
            return before;
        }
        AppendOutcome outcome = section.tags() == null
                ? drop(section, recordSeq + record.count())
                : deleteSeries(section, section.tags(), recordSeq + record.count());
        facts.batches().remember(section.batch(), outcome, now);
        return outcome;
    }

    AppendOutcome fold(RangeDeleteSection section, long recordSeq, long now) {
        AppendOutcome before = repeated(section.batch());
        if (before != null) {
            return before;
        }
        AppendOutcome outcome = deleteRange(section, recordSeq + record.count());
        facts.batches().remember(section.batch(), outcome, now);
        return outcome;
    }

    private @Nullable AppendOutcome repeated(BatchId batch) {
        AppendOutcome before = facts.batches().find(batch);
        if (before != null) {
            counters.repeatedBatches++;
        }
        return before;
    }

    private AppendOutcome drop(DeleteSection section, long seq) {
        Long droppedBy = facts.drops().get(section.tableId());
        if (droppedBy != null) {
            return new Applied(droppedBy + 1, 0, 0, List.of());
        }
        if (isForeign(section.generation())) {
            return notHere("partition has another generation than " + section.generation());
        }
        if (definitions.tables().idOf(section.tenant(), section.measurement()) > section.tableId()) {
            facts.dropped(section.tableId(), seq - 1);
            definitions.tables().retire(section.tableId());
            // The name belongs to a younger table already, and this one never had a row here: an event would drop the
            // wrong one.
            return new Applied(0, 0, 0, List.of());
        }
        points.dropTable(section.tableId());
        facts.dropped(section.tableId(), seq);
        definitions.tables().retire(section.tableId());
        record.addEvent(new TableEvent(
                EventType.MEASUREMENT_DROPPED,
                section.tenant(),
                section.tableId(),
                section.measurement(),
                schemaVersion(section.tableId()),
                null,
                0,
                EventDetails.drop(section.changeId())));
        return new Applied(seq + 1, 0, 0, List.of());
    }

    private AppendOutcome deleteSeries(DeleteSection section, List<Tag> tags, long seq) {
        if (facts.drops().containsKey(section.tableId())) {
            return dropped(section.measurement());
        }
        long hash = new SeriesKey(section.tenant(), section.measurement(), tags).hash();
        if (isForeign(section.generation()) || !facts.owns(SeriesHash.slot(hash))) {
            return notHere("partition does not own the series");
        }
        byte[] canonical = CanonicalTags.encode(tags);
        int series = definitions.seriesId(section.tableId(), hash, canonical, 0, canonical.length);
        if (series >= 0) {
            points.deleteSeries(series, seq);
            facts.deleted(section.tableId(), DeleteRule.ofSeries(seq, tags));
        }
        record.addEvent(new TableEvent(
                EventType.SERIES_DELETED,
                section.tenant(),
                section.tableId(),
                section.measurement(),
                schemaVersion(section.tableId()),
                canonical,
                hash,
                EventDetails.NONE));
        return new Applied(seq + 1, 0, 0, List.of());
    }

    private AppendOutcome deleteRange(RangeDeleteSection section, long seq) {
        if (facts.drops().containsKey(section.tableId())) {
            return dropped(section.measurement());
        }
        if (isForeign(section.generation())) {
            return notHere("partition has another generation than " + section.generation());
        }
        String changed = section.asOfSeq() > 0 ? changed(section) : null;
        if (changed != null) {
            counters.voidQuarantines++;
            return new Applied(0, 0, 0, List.of(new VoidedRow(0, VoidCause.CHANGED, ErrorCode.CONFLICT, changed)));
        }
        points.deleteRange(section.tableId(), section.predicate(), section.fromNanos(), section.toNanos());
        DeleteRule rule = new DeleteRule(seq, false, section.predicate(), section.fromNanos(), section.toNanos());
        facts.deleted(section.tableId(), rule);
        if (rule.meansAll() && rule.fromNanos() == Long.MIN_VALUE) {
            buffers.deletedThrough(section.tableId(), rule.toNanos());
        }
        switch (section.cause()) {
            case STATEMENT -> {}
            case RETENTION -> counters.retentionDeletes++;
            case QUARANTINE -> counters.quarantines++;
        }
        record.addEvent(new TableEvent(
                EventType.RANGE_DELETED,
                section.tenant(),
                section.tableId(),
                section.measurement(),
                schemaVersion(section.tableId()),
                null,
                0,
                EventDetails.range(section)));
        return new Applied(seq + 1, 0, 0, List.of());
    }

    /** Why what a quarantine read may not be what it would delete; null where it is. Events of its own entry are not in the segments yet. */
    private @Nullable String changed(RangeDeleteSection section) {
        return record.count() > 0
                ? "the entry has rows before it"
                : written.look(section, facts.nextSeq()).orElse(null);
    }

    private boolean isForeign(int generation) {
        PartitionFence fence = facts.fence();
        return fence == null || fence.generation() != generation;
    }

    private int schemaVersion(int tableId) {
        TableDirectory.Table table = definitions.tables().table(tableId);
        TableSchema schema = table == null ? null : table.newest();
        return schema == null ? 0 : schema.version();
    }

    private static Applied notHere(String message) {
        return new Applied(0, 0, 0, List.of(new VoidedRow(0, VoidCause.WRONG_PARTITION, ErrorCode.NO_LEADER, message)));
    }

    private static Applied dropped(String measurement) {
        return new Applied(
                0,
                0,
                0,
                List.of(new VoidedRow(
                        0, VoidCause.TABLE_DROPPED, ErrorCode.TABLE_DROPPED, "table " + measurement + " was dropped")));
    }
}
