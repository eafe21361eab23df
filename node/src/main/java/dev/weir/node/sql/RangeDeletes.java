package dev.weir.node.sql;

import dev.weir.node.ingest.BatchIds;
import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.PartitionRecord;
import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import dev.weir.partition.write.AppendOutcome;
import dev.weir.partition.write.DeleteRequest;
import dev.weir.partition.write.PartitionWrites;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** Deletes rows by time and tags in every partition, each delete with one {@code change_id}. Blocks; called on virtual threads. */
final class RangeDeletes {
    private final Catalog catalog;
    private final PartitionWrites writes;
    private final BatchIds batches;

    RangeDeletes(Catalog catalog, PartitionWrites writes, BatchIds batches) {
        this.catalog = catalog;
        this.writes = writes;
        this.batches = batches;
    }

    /**
     * @param tags tag → values, one of which it must equal; all must hold
     * @return past the deletes in every partition's stream
     * @throws RefusedException a partition did not log it; it may be sent again
     */
    Cursor delete(TableSchema table, long fromNanos, long toNanos, Map<String, List<String>> tags) {
        TreeMap<Integer, Long> commit = new TreeMap<>();
        for (List<Tag> combination : TagCombinations.of(tags)) {
            DeleteRequest.Range range = new DeleteRequest.Range(combination, fromNanos, toNanos, false);
            drive(table, range, batches.nextChangeId(), commit);
        }
        return new Cursor(commit);
    }

    private void drive(TableSchema table, DeleteRequest.Range range, String changeId, Map<Integer, Long> commit) {
        List<PartitionRecord> partitions = catalog.image().partitions().values().stream()
                .filter(partition -> !partition.slots().isEmpty())
                .toList();
        List<CompletableFuture<AppendOutcome>> outcomes = new ArrayList<>();
        for (PartitionRecord partition : partitions) {
            outcomes.add(writes.delete(new DeleteRequest(
                            partition.id(),
                            partition.generation(),
                            batches.next(),
                            table.tenant(),
                            table.tableId(),
                            table.name(),
                            null,
                            range,
                            changeId))
                    .toCompletableFuture());
        }
        for (int i = 0; i < outcomes.size(); i++) {
            int partition = partitions.get(i).id();
            switch (outcomes.get(i).join()) {
                case AppendOutcome.Applied applied -> {
                    if (!applied.voided().isEmpty()) {
                        AppendOutcome.VoidedRow why = applied.voided().getFirst();
                        throw new RefusedException(Refusal.of(why.code(), why.message()));
                    }
                    commit.merge(partition, applied.nextSeq(), Math::max);
                }
                case AppendOutcome.Refused refused -> throw new RefusedException(refused.refusal());
                case AppendOutcome.Unknown unknown ->
                    throw new RefusedException(Refusal.of(ErrorCode.UNKNOWN_OUTCOME, unknown.message()));
            }
        }
    }
}
