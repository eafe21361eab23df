package dev.weir.cdc;

import dev.weir.partition.engine.CutPlace;
import dev.weir.partition.engine.CutRequest;
import dev.weir.partition.engine.CutRows;
import dev.weir.partition.engine.History;
import dev.weir.partition.engine.PartitionCut;
import dev.weir.partition.feed.ChangeBatch;
import dev.weir.partition.feed.PartitionFeed;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.EventType;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.store.StoreException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Cuts of tables that have no files: all their rows are read from the log. Each partition has one table. */
final class MemoryHistory implements History {
    private final MemoryCluster cluster;
    private final Map<String, PartitionCut> stored = new ConcurrentHashMap<>();
    /** Cuts wait for it. */
    volatile CompletableFuture<Void> gate = CompletableFuture.completedFuture(null);
    /** Partitions whose next reading fails. */
    final Set<Integer> failingOnce = ConcurrentHashMap.newKeySet();

    /** So many cuts are refused after they were stored, as where the leader ends in between. */
    final AtomicInteger refusing = new AtomicInteger();

    /** Cuts that were asked for. */
    final AtomicInteger asked = new AtomicInteger();

    /** So many readings fail. */
    final AtomicInteger failing = new AtomicInteger();

    MemoryHistory(MemoryCluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public CompletionStage<CutPlace> cut(int partition, CutRequest request) {
        asked.incrementAndGet();
        return gate.thenApply(open -> {
            MemoryLog log = cluster.log(partition);
            long next = log.nextSeq();
            List<PartitionCut.Table> tables = table(log, request)
                    .map(schema -> new PartitionCut.Table(schema, log.firstSeq, List.of(), List.of()))
                    .stream()
                    .toList();
            PartitionCut cut = new PartitionCut(partition, next, tables);
            if (stored.putIfAbsent(request.leaseId() + partition, cut) != null) {
                throw refused();
            }
            if (refusing.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw refused();
            }
            return new CutPlace(partition, cut.fromSeq(), next);
        });
    }

    private static RefusedException refused() {
        return new RefusedException(Refusal.of(ErrorCode.STORE_UNAVAILABLE, "the cut has other bytes"));
    }

    private static Optional<TableSchema> table(MemoryLog log, CutRequest request) {
        try {
            return log.read(log.firstSeq, Integer.MAX_VALUE, Long.MAX_VALUE).batches().stream()
                    .filter(batch -> batch.type() == EventType.POINT_WRITTEN)
                    .filter(batch ->
                            request.tables().isEmpty() || request.tables().contains(batch.measurement()))
                    .map(ChangeBatch::schema)
                    .findFirst();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public PartitionCut stored(String leaseId, int partition) throws IOException {
        PartitionCut cut = stored.get(leaseId + partition);
        if (cut == null) {
            throw new StoreException(StoreException.Kind.NOT_FOUND, "no cut of " + leaseId);
        }
        return cut;
    }

    @Override
    public CutRows rows(PartitionCut cut, PartitionCut.Table table, PartitionFeed feed) throws IOException {
        if (failingOnce.remove(cut.partition()) || failing.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new StoreException(StoreException.Kind.UNAVAILABLE, "the store is away");
        }
        return new CutRows(
                cut,
                table,
                (file, as, series) -> {
                    throw new IllegalStateException("there are no files");
                },
                feed);
    }
}
