package dev.weir.node.letters;

import dev.weir.node.ingest.BatchIds;
import dev.weir.node.ingest.letter.LetterKey;
import dev.weir.node.ingest.letter.LetterTable;
import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.PartitionRecord;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.model.SeriesKey;
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

/** Deletes certain letters and no others, each in the partition that has it. */
final class LetterDeletes {
    /** Deletes under way at once. */
    private static final int AT_ONCE = 32;

    private final Catalog catalog;
    private final PartitionWrites writes;
    private final BatchIds batches;

    LetterDeletes(Catalog catalog, PartitionWrites writes, BatchIds batches) {
        this.catalog = catalog;
        this.writes = writes;
        this.batches = batches;
    }

    /** @throws RefusedException some were not deleted; the call may be made again */
    void delete(TableSchema table, List<LetterKey> letters) {
        List<DeleteRequest> requests = new ArrayList<>();
        for (LetterRun run : LetterRun.of(letters)) {
            requests.addAll(requests(table, run));
        }
        for (int from = 0; from < requests.size(); from += AT_ONCE) {
            List<CompletableFuture<AppendOutcome>> outcomes =
                    requests.subList(from, Math.min(requests.size(), from + AT_ONCE)).stream()
                            .map(request -> writes.delete(request).toCompletableFuture())
                            .toList();
            outcomes.forEach(outcome -> check(outcome.join()));
        }
    }

    private List<DeleteRequest> requests(TableSchema table, LetterRun run) {
        CatalogImage image = catalog.image();
        Map<Integer, PartitionRecord> partitions = new TreeMap<>();
        Tag node = new Tag("node", run.node());
        for (String code : run.codes()) {
            SeriesKey series = new SeriesKey(table.tenant(), LetterTable.NAME, List.of(new Tag("code", code), node));
            PartitionRecord partition = image.partitionOf(series.slot());
            partitions.put(partition.id(), partition);
        }
        String changeId = batches.nextChangeId();
        return partitions.values().stream()
                .map(partition -> new DeleteRequest(
                        partition.id(),
                        partition.generation(),
                        batches.next(),
                        table.tenant(),
                        table.tableId(),
                        table.name(),
                        null,
                        new DeleteRequest.Range(List.of(node), run.fromNanos(), run.toNanos(), false),
                        changeId))
                .toList();
    }

    private static void check(AppendOutcome outcome) {
        switch (outcome) {
            case AppendOutcome.Applied applied -> {
                if (!applied.voided().isEmpty()) {
                    AppendOutcome.VoidedRow why = applied.voided().getFirst();
                    throw new RefusedException(Refusal.of(why.code(), why.message()));
                }
            }
            case AppendOutcome.Refused refused -> throw new RefusedException(refused.refusal());
            case AppendOutcome.Unknown unknown ->
                throw new RefusedException(Refusal.of(ErrorCode.UNKNOWN_OUTCOME, unknown.message()));
        }
    }
}
