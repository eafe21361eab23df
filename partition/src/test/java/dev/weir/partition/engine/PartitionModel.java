package dev.weir.partition.engine;

import dev.weir.partition.check.FoldedTable;
import dev.weir.partition.check.PointKey;
import dev.weir.partition.model.ChangeEvent;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.EventType;
import dev.weir.partition.model.Operation;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.SeriesKey;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import dev.weir.partition.write.AppendOutcome;
import dev.weir.partition.write.AppendOutcome.Applied;
import dev.weir.partition.write.AppendOutcome.VoidCause;
import dev.weir.partition.write.AppendOutcome.VoidedRow;
import dev.weir.partition.write.BatchId;
import dev.weir.partition.write.IdempotencyUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a partition should do, the slow and obvious way: whole objects in maps, nothing encoded, nothing forgotten. */
final class PartitionModel {
    private final PartitionFence fence;
    private final FoldedTable table = new FoldedTable();
    private final List<ChangeEvent> events = new ArrayList<>();
    private final Map<BatchId, AppendOutcome> batches = new HashMap<>();
    private final Map<String, byte[]> digests = new HashMap<>();
    private final Map<String, Applied> units = new HashMap<>();
    private final Map<String, TableSchema> schemas = new HashMap<>();
    private final Map<String, Integer> newestByName = new HashMap<>();
    private final Map<Integer, Integer> newestVersion = new HashMap<>();
    private final Map<Integer, Long> drops = new HashMap<>();
    private final Map<Long, Integer> tableOfRow = new HashMap<>();
    private final Map<Integer, Set<SeriesKey>> series = new HashMap<>();
    private long now;
    private List<VoidedRow> voided = new ArrayList<>();
    private int inserted;
    private int updated;
    private int eventsBeforeEntry;
    private int quarantines;
    private int quarantinesVoid;

    PartitionModel(PartitionFence fence) {
        this.fence = fence;
    }

    List<ChangeEvent> events() {
        return events;
    }

    int quarantines() {
        return quarantines;
    }

    int quarantinesVoid() {
        return quarantinesVoid;
    }

    FoldedTable table() {
        return table;
    }

    boolean dropped(int tableId) {
        return drops.containsKey(tableId);
    }

    List<AppendOutcome> apply(long clock, List<SimOp> ops) {
        now = Math.max(now + 1, clock);
        eventsBeforeEntry = events.size();
        List<AppendOutcome> outcomes = new ArrayList<>();
        for (SimOp op : ops) {
            switch (op) {
                case SimOp.Append append -> outcomes.add(append(append));
                case SimOp.Delete delete ->
                    outcomes.add(once(
                            delete.batch(),
                            delete.host() == null ? drop(delete) : deleteSeries(delete, delete.host())));
                case SimOp.RangeDelete delete -> outcomes.add(once(delete.batch(), deleteRange(delete)));
                case SimOp.Trim trim -> {}
                case SimOp.Tick tick -> {}
                case SimOp.Flush flush -> {}
                case SimOp.Move move -> {}
                case SimOp.MovesBegin begin -> {}
            }
        }
        return outcomes;
    }

    private AppendOutcome once(BatchId batch, java.util.function.Supplier<AppendOutcome> action) {
        AppendOutcome before = batches.get(batch);
        if (before == null) {
            before = action.get();
            batches.put(batch, before);
        }
        return before;
    }

    private AppendOutcome append(SimOp.Append op) {
        if (batches.containsKey(op.batch())) {
            return batches.get(op.batch());
        }
        boolean repeated = false;
        if (op.unit() != null) {
            byte[] digest = digests.get(op.unit().key());
            if (digest != null && !Arrays.equals(digest, op.unit().bodyDigest())) {
                return new AppendOutcome.Refused(Refusal.of(ErrorCode.IDEMPOTENCY_MISMATCH, ""));
            }
            Applied first = units.get(chunk(op.unit()));
            repeated = first != null;
            if (first != null && rows(first) == op.rowCount()) {
                batches.put(op.batch(), first);
                return first;
            }
        }
        Applied outcome = write(op, repeated);
        batches.put(op.batch(), outcome);
        boolean rerouted = outcome.voided().stream().anyMatch(row -> row.cause() == VoidCause.WRONG_PARTITION);
        if (op.unit() != null && !repeated && !rerouted) {
            digests.put(op.unit().key(), op.unit().bodyDigest());
            units.put(chunk(op.unit()), outcome);
        }
        return outcome;
    }

    private Applied write(SimOp.Append op, boolean repeated) {
        voided = new ArrayList<>();
        inserted = 0;
        updated = 0;
        int before = events.size();
        int row = 0;
        boolean foreign = op.generation() != fence.generation() || (op.unit() != null && anyForeign(op));
        for (SimOp.Block block : op.blocks()) {
            if (foreign) {
                voidAll(row, block, VoidCause.WRONG_PARTITION);
            } else if (retired(block.schema())) {
                voidAll(row, block, VoidCause.TABLE_DROPPED);
            } else {
                block(row, block, op.seriesMax(), repeated);
            }
            row += block.rows().size();
        }
        return new Applied(events.size() > before ? nextSeq() : 0, inserted, updated, List.copyOf(voided));
    }

    private void block(int firstRow, SimOp.Block block, int seriesMax, boolean repeated) {
        TableSchema schema = block.schema();
        Set<SeriesKey> known = series.computeIfAbsent(schema.tableId(), id -> new HashSet<>());
        Set<SeriesKey> limited = new HashSet<>();
        Set<SeriesKey> fresh = new LinkedHashSet<>();
        for (Rows.Row row : block.rows()) {
            SeriesKey key = key(schema, row.host());
            if (owns(key) && !(known.contains(key) && isAlive(key)) && !fresh.contains(key)) {
                if (seriesMax > 0 && alive(known) + fresh.size() >= seriesMax) {
                    limited.add(key);
                } else {
                    fresh.add(key);
                }
            }
        }
        boolean any = block.rows().stream()
                .map(row -> key(schema, row.host()))
                .anyMatch(key -> owns(key) && !limited.contains(key));
        if (any) {
            define(schema);
            known.addAll(fresh);
        }
        for (int i = 0; i < block.rows().size(); i++) {
            Rows.Row row = block.rows().get(i);
            SeriesKey key = key(schema, row.host());
            if (!owns(key)) {
                voidRow(firstRow + i, VoidCause.WRONG_PARTITION);
            } else if (limited.contains(key)) {
                voidRow(firstRow + i, VoidCause.LIMIT);
            } else {
                row(schema, key, row, repeated);
            }
        }
    }

    /** Series without points do not count. */
    private long alive(Set<SeriesKey> known) {
        var points = table.points();
        return known.stream()
                .filter(key -> points.containsKey(key) && !points.get(key).isEmpty())
                .count();
    }

    private boolean isAlive(SeriesKey key) {
        var points = table.points().get(key);
        return points != null && !points.isEmpty();
    }

    private void row(TableSchema schema, SeriesKey key, Rows.Row row, boolean repeated) {
        boolean existed = table.point(new PointKey(key, row.time())) != null;
        if (existed) {
            updated++;
        } else {
            inserted++;
        }
        if (!existed || !repeated) {
            tableOfRow.put(nextSeq(), schema.tableId());
            emit(event(
                    EventType.POINT_WRITTEN,
                    existed ? Operation.UPDATE : Operation.INSERT,
                    schema,
                    row.time(),
                    key.tags(),
                    row.fields(),
                    schema.version(),
                    0,
                    "{}"));
        }
    }

    private void define(TableSchema schema) {
        if (schemas.putIfAbsent(schema.tableId() + "/" + schema.version(), schema) != null) {
            return;
        }
        Integer before = newestByName.get(name(schema));
        if (before != null && before != schema.tableId() && !drops.containsKey(before)) {
            emitDrop(schema, before, EventDetails.superseded(schema.tableId()));
        }
        newestByName.merge(name(schema), schema.tableId(), Math::max);
        newestVersion.merge(schema.tableId(), schema.version(), Math::max);
        emit(event(
                EventType.SCHEMA_CHANGED,
                Operation.NONE,
                schema,
                0,
                List.of(),
                Map.of(),
                schema.version(),
                0,
                EventDetails.schema(schema)));
    }

    private java.util.function.Supplier<AppendOutcome> drop(SimOp.Delete op) {
        return () -> {
            TableSchema schema = op.schema();
            Long droppedBy = drops.get(schema.tableId());
            if (droppedBy != null) {
                return new Applied(droppedBy + 1, 0, 0, List.of());
            }
            if (newestByName.getOrDefault(name(schema), -1) > schema.tableId()) {
                drops.put(schema.tableId(), nextSeq() - 1);
                return new Applied(0, 0, 0, List.of());
            }
            emitDrop(
                    schema,
                    schema.tableId(),
                    EventDetails.drop("change-" + op.batch().counter()));
            return new Applied(nextSeq(), 0, 0, List.of());
        };
    }

    private java.util.function.Supplier<AppendOutcome> deleteSeries(SimOp.Delete op, String host) {
        return () -> {
            TableSchema schema = op.schema();
            SeriesKey key = key(schema, host);
            if (drops.containsKey(schema.tableId())) {
                return voidedDelete(VoidCause.TABLE_DROPPED);
            }
            if (!owns(key)) {
                return voidedDelete(VoidCause.WRONG_PARTITION);
            }
            emit(event(
                    EventType.SERIES_DELETED,
                    Operation.DELETE,
                    schema,
                    0,
                    key.tags(),
                    Map.of(),
                    newestVersion.getOrDefault(schema.tableId(), 0),
                    key.hash(),
                    "{}"));
            return new Applied(nextSeq(), 0, 0, List.of());
        };
    }

    private java.util.function.Supplier<AppendOutcome> deleteRange(SimOp.RangeDelete op) {
        return () -> {
            if (drops.containsKey(op.schema().tableId())) {
                return voidedDelete(VoidCause.TABLE_DROPPED);
            }
            if (op.asOf() > 0 && (events.size() > eventsBeforeEntry || wroteSince(op))) {
                quarantinesVoid++;
                return voidedDelete(VoidCause.CHANGED);
            }
            quarantines += op.asOf() > 0 ? 1 : 0;
            emit(event(
                    EventType.RANGE_DELETED,
                    Operation.DELETE,
                    op.schema(),
                    0,
                    List.of(),
                    Map.of(),
                    newestVersion.getOrDefault(op.schema().tableId(), 0),
                    0,
                    EventDetails.range(op.section())));
            return new Applied(nextSeq(), 0, 0, List.of());
        };
    }

    /** Rows that the delete would take. */
    private boolean wroteSince(SimOp.RangeDelete op) {
        return events.stream()
                .skip(op.asOf() - 1)
                .anyMatch(event ->
                        tableOfRow.getOrDefault(event.seq(), -1) == op.schema().tableId()
                                && event.timestampNanos() >= op.from()
                                && event.timestampNanos() <= op.to()
                                && event.tags().containsAll(op.predicate()));
    }

    private void emitDrop(TableSchema schema, int tableId, String detail) {
        drops.put(tableId, nextSeq());
        emit(event(
                EventType.MEASUREMENT_DROPPED,
                Operation.DELETE,
                schema,
                0,
                List.of(),
                Map.of(),
                newestVersion.getOrDefault(tableId, 0),
                0,
                detail));
    }

    private ChangeEvent event(
            EventType type,
            Operation operation,
            TableSchema schema,
            long time,
            List<Tag> tags,
            Map<String, Object> fields,
            int version,
            long hash,
            String detail) {
        return new ChangeEvent(
                Rows.PARTITION,
                nextSeq(),
                type,
                operation,
                schema.tenant(),
                schema.name(),
                time,
                tags,
                fields,
                version,
                now,
                hash,
                detail);
    }

    private void emit(ChangeEvent event) {
        events.add(event);
        table.event(event);
    }

    private long nextSeq() {
        return events.size() + 1L;
    }

    private boolean retired(TableSchema schema) {
        boolean known = schemas.containsKey(schema.tableId() + "/" + schema.version());
        return drops.containsKey(schema.tableId())
                || (!known && newestByName.getOrDefault(name(schema), -1) > schema.tableId());
    }

    private boolean anyForeign(SimOp.Append op) {
        return op.blocks().stream()
                .anyMatch(block -> block.rows().stream().anyMatch(row -> !owns(key(block.schema(), row.host()))));
    }

    private boolean owns(SeriesKey key) {
        return fence.owns(key.slot());
    }

    private void voidAll(int firstRow, SimOp.Block block, VoidCause cause) {
        for (int i = 0; i < block.rows().size(); i++) {
            voidRow(firstRow + i, cause);
        }
    }

    private void voidRow(int row, VoidCause cause) {
        voided.add(new VoidedRow(row, cause, ErrorCode.INTERNAL, ""));
    }

    private static Applied voidedDelete(VoidCause cause) {
        return new Applied(0, 0, 0, List.of(new VoidedRow(0, cause, ErrorCode.INTERNAL, "")));
    }

    private static SeriesKey key(TableSchema schema, String host) {
        return new SeriesKey(schema.tenant(), schema.name(), SimOp.tags(host));
    }

    private static String name(TableSchema schema) {
        return schema.tenant() + "/" + schema.name();
    }

    private static String chunk(IdempotencyUnit unit) {
        return unit.key() + "/" + unit.chunk();
    }

    private static int rows(Applied applied) {
        return applied.inserted() + applied.updated() + applied.voided().size();
    }
}
