package dev.weir.node.ingest;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.CatalogReply;
import dev.weir.partition.catalog.PartitionRecord;
import dev.weir.partition.catalog.TableDrop;
import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.write.AppendOutcome;
import dev.weir.partition.write.AppendOutcome.Applied;
import dev.weir.partition.write.AppendOutcome.Refused;
import dev.weir.partition.write.AppendOutcome.Unknown;
import dev.weir.partition.write.DeleteRequest;
import dev.weir.partition.write.PartitionWrites;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Drives an agreed drop of a table through every partition, then tells the catalog. May be done twice, by two nodes, or after a partition has logged it:
 * a partition logs a drop once.
 *
 * <p>{@link #finish} blocks and is called on virtual threads; {@link #finishAll} is for the controller, for drops whose front door has died.
 */
public final class TableDrops {
    /** Looks at the partition map: a partition that splits meanwhile leaves children that inherit the drop or are driven in the next round. */
    private static final int ROUNDS_MAX = 4;

    private final Catalog catalog;
    private final PartitionWrites writes;
    private final BatchIds batches;

    public TableDrops(Catalog catalog, PartitionWrites writes, BatchIds batches) {
        this.catalog = catalog;
        this.writes = writes;
        this.batches = batches;
    }

    /**
     * Drops a table: agrees on it, then finishes it.
     *
     * @throws RefusedException it does not exist, or a partition could not log it now
     */
    public Cursor drop(String tenant, String table) {
        CatalogReply reply =
                Awaiting.await(catalog.propose(new CatalogCommand.DropTable(tenant, table, batches.nextChangeId()))
                        .toCompletableFuture());
        return switch (reply) {
            case CatalogReply.Dropped dropped -> finish(dropped.drop());
            case CatalogReply.Refused refused -> throw new RefusedException(refused.refusal());
            case CatalogReply.Done done -> throw unexpected(done);
            case CatalogReply.Incarnation incarnation -> throw unexpected(incarnation);
            case CatalogReply.Schema schema -> throw unexpected(schema);
        };
    }

    /** Finishes all drops that the catalog knows; returns how many are left. */
    public int finishAll() {
        int left = 0;
        for (TableDrop drop : List.copyOf(catalog.image().drops())) {
            try {
                finish(drop);
            } catch (RefusedException e) {
                left++;
            }
        }
        return left;
    }

    /**
     * Returns where the drop stands in each partition's stream.
     *
     * @throws RefusedException a partition could not log it now; the drop stays agreed and can be finished later
     */
    public Cursor finish(TableDrop drop) {
        TreeMap<Integer, Long> commit = new TreeMap<>();
        Set<Integer> logged = new HashSet<>();
        for (int round = 1; ; round++) {
            List<PartitionRecord> missing = missing(logged);
            if (missing.isEmpty()) {
                break;
            }
            if (round > ROUNDS_MAX) {
                throw new RefusedException(Refusal.of(
                        ErrorCode.NO_LEADER,
                        "the drop of \"" + drop.name()
                                + "\" is agreed, but the partition map keeps changing: it will be finished"));
            }
            drive(drop, missing, logged, commit);
        }
        Awaiting.await(
                catalog.propose(new CatalogCommand.DropFinished(drop.tableId())).toCompletableFuture());
        return new Cursor(commit);
    }

    private List<PartitionRecord> missing(Set<Integer> logged) {
        return catalog.image().partitions().values().stream()
                .filter(partition -> !partition.slots().isEmpty() && !logged.contains(partition.id()))
                .toList();
    }

    private void drive(
            TableDrop drop, List<PartitionRecord> partitions, Set<Integer> logged, Map<Integer, Long> commit) {
        List<CompletableFuture<AppendOutcome>> outcomes = new ArrayList<>();
        for (PartitionRecord partition : partitions) {
            outcomes.add(writes.delete(new DeleteRequest(
                            partition.id(),
                            partition.generation(),
                            batches.next(),
                            drop.tenant(),
                            drop.tableId(),
                            drop.name(),
                            null,
                            drop.changeId()))
                    .toCompletableFuture());
        }
        RefusedException failure = null;
        for (int i = 0; i < outcomes.size(); i++) {
            int partition = partitions.get(i).id();
            switch (Awaiting.await(outcomes.get(i))) {
                case Applied applied -> {
                    if (applied.voided().isEmpty()) {
                        logged.add(partition);
                    }
                    if (applied.nextSeq() > 0) {
                        commit.merge(partition, applied.nextSeq(), Math::max);
                    }
                }
                case Refused refused -> failure = unfinished(drop, refused.refusal());
                case Unknown unknown ->
                    failure = unfinished(drop, Refusal.of(ErrorCode.UNKNOWN_OUTCOME, unknown.message()));
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static RefusedException unfinished(TableDrop drop, Refusal why) {
        return new RefusedException(new Refusal(
                why.code(),
                "the drop of \"" + drop.name()
                        + "\" is agreed, but not yet in every partition; it will be finished, and may be sent again: "
                        + why.message(),
                why.retryAfterMs()));
    }

    private static IllegalStateException unexpected(CatalogReply reply) {
        return new IllegalStateException("the catalog answered a drop with " + reply);
    }
}
