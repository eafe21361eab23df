package dev.weir.partition.engine;

import dev.weir.partition.engine.AppendDecision.Reason;
import dev.weir.partition.entry.BlockView;
import dev.weir.partition.entry.RecordBuilder;
import dev.weir.partition.entry.Section.AppendSection;
import dev.weir.partition.entry.SeriesDefinition;
import dev.weir.partition.entry.TableEvent;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.EventType;
import dev.weir.partition.model.SeriesHash;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.write.AppendOutcome;
import dev.weir.partition.write.AppendOutcome.Applied;
import dev.weir.partition.write.AppendOutcome.VoidCause;
import dev.weir.partition.write.AppendOutcome.VoidedRow;
import dev.weir.partition.write.TenantSeriesLimit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Folds the rows of one request: suppresses repeats, voids what may not be stored, gives the rest its seqs and operations. The hot path of
 * apply. Single-threaded.
 */
final class AppendFold {
    private final DefinitionTable definitions;
    private final DefinitionFrames.Target newDefinitions;
    private final LogFacts facts;
    private final PointStore points;
    private final TableBuffers buffers;
    private final RecordBuilder record;
    private final FoldCounters counters;
    private final AppendDecision decision = new AppendDecision();
    private long[] accepted = new long[16];
    private long[] updates = new long[16];

    private long recordSeq;
    private int inserted;
    private int updated;
    private int rowsBefore;
    private boolean skipExisting;
    private final List<VoidedRow> voided = new ArrayList<>();

    AppendFold(
            DefinitionTable definitions,
            DefinitionFrames.Target newDefinitions,
            LogFacts facts,
            PointStore points,
            TableBuffers buffers,
            RecordBuilder record,
            FoldCounters counters) {
        this.definitions = definitions;
        this.newDefinitions = newDefinitions;
        this.facts = facts;
        this.points = points;
        this.buffers = buffers;
        this.record = record;
        this.counters = counters;
    }

    /**
     * @param recordSeq seq of the first event of the record that is being built
     * @param now time of the entry
     */
    AppendOutcome fold(AppendSection section, long recordSeq, long now) {
        AppendOutcome before = facts.batches().find(section.batch());
        if (before != null) {
            counters.repeatedBatches++;
            return before;
        }
        AppendOutcome byUnit = section.unit() == null ? null : facts.units().find(section.unit(), now);
        if (byUnit instanceof AppendOutcome.Refused) {
            return byUnit;
        }
        if (byUnit instanceof Applied applied && rows(applied) == section.rowCount()) {
            counters.repeatedUnits++;
            facts.batches().remember(section.batch(), applied, now);
            return applied;
        }
        this.recordSeq = recordSeq;
        Applied outcome = apply(section, byUnit != null);
        facts.batches().remember(section.batch(), outcome, now);
        if (section.unit() != null && byUnit == null && !isRerouted(outcome)) {
            facts.units().remember(section.unit(), outcome, now);
        }
        counters.inserted += outcome.inserted();
        counters.updated += outcome.updated();
        counters.voided += outcome.voided().size();
        return outcome;
    }

    /**
     * @param repeated the unit was seen with another number of rows (a schema has changed in between): only rows whose points are missing
     *     are written
     */
    private Applied apply(AppendSection section, boolean repeated) {
        int eventsBefore = record.count();
        inserted = 0;
        updated = 0;
        rowsBefore = 0;
        skipExisting = repeated;
        voided.clear();
        Reason foreign = foreign(section);
        if (foreign != null) {
            voidRows(section.rowCount(), foreign);
        } else {
            Reason wrongSlot = wrongPartition("partition does not own the slot, since epoch " + epoch());
            for (BlockView block : section.blocks()) {
                block(block, section, wrongSlot);
                rowsBefore += block.rowCount();
            }
        }
        boolean caused = record.count() > eventsBefore;
        return new Applied(caused ? recordSeq + record.count() : 0, inserted, updated, List.copyOf(voided));
    }

    /** Why none of the rows may be stored, if so. */
    private @Nullable Reason foreign(AppendSection section) {
        PartitionFence fence = facts.fence();
        if (fence == null) {
            return wrongPartition("partition owns no slots yet");
        }
        if (fence.generation() != section.generation()) {
            return wrongGeneration(fence.generation(), section.generation());
        }
        // A unit is remembered as a whole, so it is stored as a whole: else its repeat, routed anew, would have other
        // rows.
        if (section.unit() != null && hasForeignSlot(section)) {
            return wrongPartition("partition does not own all slots of the chunk, since epoch " + fence.epoch());
        }
        return null;
    }

    private boolean hasForeignSlot(AppendSection section) {
        for (BlockView block : section.blocks()) {
            for (int ref = 0; ref < block.seriesCount(); ref++) {
                int id = block.seriesId(ref);
                if (!facts.owns(SeriesHash.slot(id >= 0 ? definitions.hash(id) : block.inlineHash(ref)))) {
                    return true;
                }
            }
        }
        return false;
    }

    private void block(BlockView block, AppendSection section, Reason wrongSlot) {
        if (isRetired(block)) {
            voidRows(
                    block.rowCount(),
                    new Reason(VoidCause.TABLE_DROPPED, ErrorCode.TABLE_DROPPED, droppedMessage(block)));
            return;
        }
        decision.begin(block, definitions, facts, wrongSlot);
        limitSeries(block, section);
        if (decision.allVoid()) {
            voidSeries(block);
            return;
        }
        defineSchema(block);
        defineSeries(block);
        rows(block);
    }

    /** The table was dropped here, or its name belongs to a younger table already, so that it was dropped in the catalog. */
    private boolean isRetired(BlockView block) {
        TableSchema schema = block.inlineSchema();
        return facts.drops().containsKey(block.tableId())
                || (schema != null && definitions.tables().idOf(schema.tenant(), schema.name()) > block.tableId());
    }

    /** Series that are new, or come back after their last point went, are void beyond a limit; the order of the block's dictionary decides which. */
    private void limitSeries(BlockView block, AppendSection section) {
        TableDirectory.Table table = definitions.tables().table(block.tableId());
        TableSchema schema = table == null ? block.inlineSchema() : table.newest();
        if (schema != null && TableSchema.isOwn(schema.name())) {
            return;
        }
        int alive = table == null ? 0 : table.alive();
        int defined = table == null ? 0 : table.seriesCount();
        long room = section.seriesMax() == 0 ? Integer.MAX_VALUE : section.seriesMax() - alive;
        long roomToDefine = section.seriesMax() == 0
                ? Integer.MAX_VALUE
                : (long) section.seriesMax() * TableDirectory.DEFINED_PER_SERIES - defined;
        TenantSeriesLimit tenant = section.tenantLimit();
        int roomOfTenant = tenant == null
                ? Integer.MAX_VALUE
                : tenant.here() - definitions.tables().seriesOf(block.tenant());
        Reason limit = null;
        for (int ref = 0; ref < decision.series(); ref++) {
            boolean isNew = decision.needsId(ref);
            if (!isNew && !comesBack(ref)) {
                continue;
            }
            if (room > 0 && roomOfTenant > 0 && (!isNew || roomToDefine > 0)) {
                room--;
                roomOfTenant--;
                roomToDefine -= isNew ? 1 : 0;
            } else {
                boolean byTable = room <= 0 || (isNew && roomToDefine <= 0);
                limit = limit == null ? seriesLimit(block, table, byTable ? null : tenant, section) : limit;
                decision.refuse(ref, limit);
            }
        }
    }

    /** A known series without points, that counts for nothing but memory until it is written. */
    private boolean comesBack(int ref) {
        return decision.reason(ref) == null && points.times().count(decision.id(ref)) == 0;
    }

    /** @param tenant its limit where that is the one reached */
    private static Reason seriesLimit(
            BlockView block,
            TableDirectory.@Nullable Table table,
            @Nullable TenantSeriesLimit tenant,
            AppendSection section) {
        TableSchema schema = table == null ? block.inlineSchema() : table.newest();
        String name = schema == null ? "id " + block.tableId() : schema.name();
        String tag = table == null ? "" : table.widestTag();
        boolean emptied = table != null
                && (long) section.seriesMax() * TableDirectory.DEFINED_PER_SERIES - table.seriesCount()
                        < section.seriesMax() - table.alive();
        String reached = tenant == null
                ? "table " + name + " is at its limit of " + section.seriesMax()
                        + " series in this partition (limits.series-per-table)"
                        + (emptied ? ": with those whose points are gone it has had four times as many" : "")
                : "tenant " + block.tenant() + " is at its limit of " + tenant.total()
                        + " series (limits.series-per-tenant), in table " + name;
        return new Reason(
                VoidCause.LIMIT,
                ErrorCode.LIMIT_SERIES,
                reached + (tag.isEmpty() ? "" : "; the tag with most values is " + tag));
    }

    private void defineSchema(BlockView block) {
        if (definitions.schema(block.tableId(), block.schemaVersion()) != null) {
            return;
        }
        TableSchema schema = block.inlineSchema();
        if (schema == null) {
            throw new IllegalStateException("entry: table " + block.tableId() + ", version " + block.schemaVersion()
                    + ": expected its definition in the log, found none");
        }
        supersede(schema);
        definitions.addSchema(schema);
        newDefinitions.schema(schema);
        record.addEvent(new TableEvent(
                EventType.SCHEMA_CHANGED,
                schema.tenant(),
                schema.tableId(),
                schema.name(),
                schema.version(),
                null,
                0,
                EventDetails.schema(schema)));
    }

    /** The first rows of a table that was made again end the one before, though the drop that is on its way here has not come yet. */
    private void supersede(TableSchema schema) {
        int before = definitions.tables().idOf(schema.tenant(), schema.name());
        if (before >= 0 && before != schema.tableId() && !facts.drops().containsKey(before)) {
            long seq = recordSeq + record.count();
            points.dropTable(before);
            facts.dropped(before, seq);
            buffers.dropped(before);
            definitions.tables().retire(before);
            TableDirectory.Table old = definitions.tables().table(before);
            TableSchema last = old == null ? null : old.newest();
            record.addEvent(new TableEvent(
                    EventType.MEASUREMENT_DROPPED,
                    schema.tenant(),
                    before,
                    schema.name(),
                    last == null ? 0 : last.version(),
                    null,
                    0,
                    EventDetails.superseded(schema.tableId())));
        }
    }

    private void defineSeries(BlockView block) {
        for (int ref = 0; ref < decision.series(); ref++) {
            if (decision.needsId(ref)) {
                SeriesDefinition made = block.definition(ref, definitions.seriesCount());
                byte[] tags = made.canonicalTags();
                definitions.addSeries(block.tableId(), made.hash(), tags, 0, tags.length);
                newDefinitions.series(made.seriesId(), block.tableId(), tags, made.hash());
                decision.define(ref, made.seriesId());
            }
        }
    }

    private void rows(BlockView block) {
        int rows = block.rowCount();
        int words = (rows + 63) >>> 6;
        if (accepted.length < words) {
            accepted = new long[words];
            updates = new long[words];
        }
        Arrays.fill(updates, 0, words, 0);
        boolean all = decision.noneVoid() && !skipExisting;
        int updatedHere = all ? writeAll(block) : writeSome(block, words);
        long firstSeq = recordSeq + record.count();
        int added =
                record.addRows(block, decision.recordIds(), all ? null : accepted, updatedHere == 0 ? null : updates);
        if (added > 0) {
            buffers.written(
                    block.tableId(),
                    added,
                    block.columns().remaining(),
                    firstSeq,
                    facts.resolvedAtNanos(),
                    oldest(block.timestamps()));
        }
    }

    private static long oldest(long[] times) {
        long oldest = Long.MAX_VALUE;
        for (long time : times) {
            oldest = Math.min(oldest, time);
        }
        return oldest;
    }

    private int writeAll(BlockView block) {
        int[] refs = block.seriesRefs();
        long[] times = block.timestamps();
        long seq = recordSeq + record.count();
        int existed = 0;
        for (int row = 0; row < times.length; row++) {
            if (points.write(decision.id(refs[row]), times[row], seq++)) {
                updates[row >>> 6] |= 1L << row;
                existed++;
            }
        }
        inserted += times.length - existed;
        updated += existed;
        return existed;
    }

    private int writeSome(BlockView block, int words) {
        Arrays.fill(accepted, 0, words, 0);
        int[] refs = block.seriesRefs();
        long[] times = block.timestamps();
        long seq = recordSeq + record.count();
        int existed = 0;
        for (int row = 0; row < times.length; row++) {
            Reason reason = decision.reason(refs[row]);
            if (reason != null) {
                voidRow(row, reason);
            } else if (skipExisting && points.contains(decision.id(refs[row]), times[row])) {
                updated++;
            } else {
                accepted[row >>> 6] |= 1L << row;
                if (points.write(decision.id(refs[row]), times[row], seq++)) {
                    updates[row >>> 6] |= 1L << row;
                    existed++;
                }
            }
        }
        inserted += (int) (seq - recordSeq - record.count()) - existed;
        updated += existed;
        return existed;
    }

    private void voidSeries(BlockView block) {
        int[] refs = block.seriesRefs();
        for (int row = 0; row < refs.length; row++) {
            Reason reason = decision.reason(refs[row]);
            if (reason != null) {
                voidRow(row, reason);
            }
        }
    }

    private void voidRows(int count, Reason reason) {
        for (int row = 0; row < count; row++) {
            voidRow(row, reason);
        }
    }

    private void voidRow(int row, Reason reason) {
        voided.add(new VoidedRow(rowsBefore + row, reason.cause(), reason.code(), reason.message()));
    }

    private String droppedMessage(BlockView block) {
        TableDirectory.Table table = definitions.tables().table(block.tableId());
        TableSchema schema = table == null ? block.inlineSchema() : table.newest();
        return "table " + (schema == null ? "id " + block.tableId() : schema.name()) + " was dropped";
    }

    private long epoch() {
        PartitionFence fence = facts.fence();
        return fence == null ? 0 : fence.epoch();
    }

    /** What a request for another generation comes to. */
    static Applied foreignGeneration(int generation, int named, int rows) {
        Reason reason = wrongGeneration(generation, named);
        List<VoidedRow> voided = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            voided.add(new VoidedRow(row, reason.cause(), reason.code(), reason.message()));
        }
        return new Applied(0, 0, 0, voided);
    }

    private static Reason wrongGeneration(int generation, int named) {
        return wrongPartition("partition has generation " + generation + ", the request named " + named);
    }

    private static Reason wrongPartition(String message) {
        return new Reason(VoidCause.WRONG_PARTITION, ErrorCode.NO_LEADER, message);
    }

    private static int rows(Applied applied) {
        return applied.inserted() + applied.updated() + applied.voided().size();
    }

    private static boolean isRerouted(Applied outcome) {
        return !outcome.voided().isEmpty() && outcome.voided().getFirst().cause() == VoidCause.WRONG_PARTITION;
    }
}
