package dev.weir.node.ingest;

import dev.weir.node.ingest.rows.NameRule;
import dev.weir.node.ingest.rows.RowFault;
import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.PartitionRecord;
import dev.weir.partition.catalog.TableDrop;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.model.SeriesKey;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import dev.weir.partition.write.AppendOutcome.Applied;
import dev.weir.partition.write.AppendOutcome.Refused;
import dev.weir.partition.write.AppendOutcome.Unknown;
import dev.weir.partition.write.AppendOutcome.VoidCause;
import dev.weir.partition.write.DeleteRequest;
import dev.weir.partition.write.PartitionWrites;
import java.util.List;
import java.util.Optional;

/** Deletes tables and series. Blocks; called on virtual threads. */
final class Deletes {
    private static final int ROUNDS_MAX = 5;

    private final Catalog catalog;
    private final PartitionWrites writes;
    private final BatchIds batches;
    private final TableDrops drops;

    Deletes(IngestPorts ports) {
        this.catalog = ports.catalog();
        this.writes = ports.writes();
        this.batches = ports.batches();
        this.drops = new TableDrops(catalog, writes, batches);
    }

    /** Drops a table; of one whose drop is under way, finishes it. */
    Optional<Cursor> drop(String tenant, String measurement) {
        RowFault own = NameRule.change(measurement);
        if (own != null) {
            throw new RefusedException(Refusal.of(own.code(), own.message()));
        }
        if (find(tenant, measurement).isEmpty()) {
            TableDrop underWay = catalog.image().drops().stream()
                    .filter(drop -> drop.tenant().equals(tenant) && drop.name().equals(measurement))
                    .findFirst()
                    .orElseThrow(() -> unknown(measurement));
            return nonEmpty(drops.finish(underWay));
        }
        return nonEmpty(drops.drop(tenant, measurement));
    }

    /** Deletes exactly the series with these tags; of one that does not exist, nothing. */
    Optional<Cursor> deleteSeries(String tenant, String measurement, List<Tag> tags) {
        TableSchema schema = find(tenant, measurement).orElseThrow(() -> unknown(measurement));
        if (!tags.stream().allMatch(tag -> isTag(schema, tag))) {
            catalogNow();
            TableSchema newest = find(tenant, measurement).orElseThrow(() -> unknown(measurement));
            if (!tags.stream().allMatch(tag -> isTag(newest, tag))) {
                return Optional.empty();
            }
        }
        SeriesKey series = new SeriesKey(tenant, measurement, tags);
        String changeId = batches.nextChangeId();
        for (int round = 1; round <= ROUNDS_MAX; round++) {
            PartitionRecord partition = catalog.image().partitionOf(series.slot());
            DeleteRequest request = new DeleteRequest(
                    partition.id(),
                    partition.generation(),
                    batches.next(),
                    tenant,
                    schema.tableId(),
                    measurement,
                    series.tags(),
                    changeId);
            switch (Awaiting.await(writes.delete(request).toCompletableFuture())) {
                case Applied applied -> {
                    if (applied.voided().isEmpty()) {
                        return applied.nextSeq() > 0
                                ? Optional.of(Cursor.of(partition.id(), applied.nextSeq()))
                                : Optional.empty();
                    }
                    if (applied.voided().getFirst().cause() != VoidCause.WRONG_PARTITION) {
                        throw unknown(measurement);
                    }
                    catalogNow();
                }
                case Refused refused -> throw new RefusedException(refused.refusal());
                case Unknown unknown ->
                    throw new RefusedException(Refusal.of(ErrorCode.UNKNOWN_OUTCOME, unknown.message()));
            }
        }
        throw new RefusedException(
                Refusal.of(ErrorCode.NO_LEADER, "the series' slot is moving to another partition: send again"));
    }

    /** The table; one that is not known here is asked for once more in the newest image. */
    private Optional<TableSchema> find(String tenant, String measurement) {
        Optional<TableSchema> here = catalog.image().table(tenant, measurement);
        if (here.isPresent()) {
            return here;
        }
        catalogNow();
        return catalog.image().table(tenant, measurement);
    }

    private void catalogNow() {
        Awaiting.await(catalog.linearize().toCompletableFuture());
    }

    private static boolean isTag(TableSchema schema, Tag tag) {
        Optional<Column> column = schema.column(tag.key());
        return column.isPresent() && column.get().role() == ColumnRole.TAG;
    }

    private static Optional<Cursor> nonEmpty(Cursor cursor) {
        return cursor.next().isEmpty() ? Optional.empty() : Optional.of(cursor);
    }

    private static RefusedException unknown(String measurement) {
        String shown = measurement.length() > 64 ? measurement.substring(0, 64) + "…" : measurement;
        return new RefusedException(Refusal.of(
                ErrorCode.NOT_FOUND, "table \"" + shown.replaceAll("\\p{Cntrl}", "?") + "\" does not exist"));
    }
}
