package dev.weir.node.image;

import dev.weir.node.internal.ImageQuery;
import dev.weir.node.internal.ImageRouter;
import dev.weir.node.internal.PartitionTables;
import dev.weir.node.internal.ReadRouter;
import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.engine.RowPick;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.read.Consistency;
import dev.weir.query.sql.image.CancelSignal;
import dev.weir.query.sql.image.ImageRequest;
import dev.weir.query.sql.image.ImageSet;
import dev.weir.query.sql.image.ReadCut;
import dev.weir.query.sql.image.ReadOptions;
import dev.weir.query.sql.image.TableImages;
import dev.weir.query.sql.image.TableNeed;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Brings images of tables to this node: asks each partition's leader, one message a node, for its cut, what it has buffered and which files it has, and holds the files
 * on this node's disk until the image is closed.
 */
public final class ClusterImages implements TableImages {
    private final Catalog catalog;
    private final ReadRouter reads;
    private final ImageRouter router;
    private final DataFiles files;
    private final InstantSource clock;
    private final Executor blocking;

    /**
     * @param reads asks one partition again
     * @param blocking fetches files
     */
    public ClusterImages(
            Catalog catalog,
            ReadRouter reads,
            ImageRouter router,
            DataFiles files,
            InstantSource clock,
            Executor blocking) {
        this.catalog = catalog;
        this.reads = reads;
        this.router = router;
        this.files = files;
        this.clock = clock;
        this.blocking = blocking;
    }

    @Override
    public CompletionStage<ImageSet> open(ImageRequest request, CancelSignal cancel) {
        CatalogImage image = catalog.image();
        List<TableSchema> schemas = new ArrayList<>();
        for (TableNeed need : request.needs()) {
            TableSchema schema = image.table(request.tenant(), need.table()).orElse(null);
            if (schema == null) {
                return CompletableFuture.failedFuture(new RefusedException(
                        Refusal.of(ErrorCode.NOT_FOUND, "no table " + need.table() + " is known")));
            }
            schemas.add(schema);
        }
        ImageQuery query = query(request.needs(), schemas);
        Freshness freshness = Freshness.of(request.options());
        Optional<Instant> completeUntil =
                freshness.consistency() == Consistency.LEADER ? Optional.of(clock.instant()) : Optional.empty();
        List<CompletableFuture<PartitionTables>> parts = new ArrayList<>();
        router.images(image.partitions().keySet(), query, freshness.consistency())
                .forEach((partition, found) ->
                        parts.add(found.thenCompose(tables -> freshEnough(tables, query, freshness))));
        CompletableFuture<ImageSet> result = CompletableFuture.allOf(parts.toArray(new CompletableFuture<?>[0]))
                .thenApplyAsync(
                        done -> assemble(
                                schemas,
                                parts.stream().map(CompletableFuture::join).toList(),
                                completeUntil,
                                cancel),
                        blocking);
        cancel.onCancel(() -> parts.forEach(part -> part.cancel(false)));
        return result;
    }

    /** Who is asked, and what his answer has to reflect at least. */
    private record Freshness(Consistency consistency, Optional<Cursor> minCursor) {
        /** A bound on staleness is kept by asking the leader, who is never stale. */
        static Freshness of(ReadOptions options) {
            return new Freshness(
                    options.maxStaleness().isPresent() ? Consistency.LEADER : options.consistency(),
                    options.minCursor());
        }

        long least(int partition) {
            return minCursor
                    .map(cursor -> cursor.next().getOrDefault(partition, 0L))
                    .orElse(0L);
        }
    }

    private CompletionStage<PartitionTables> freshEnough(PartitionTables found, ImageQuery query, Freshness freshness) {
        int partition = found.partition();
        long least = freshness.least(partition);
        if (found.nextSeq() >= least) {
            return CompletableFuture.completedFuture(found);
        }
        return freshness.consistency() == Consistency.LEADER
                ? CompletableFuture.failedFuture(beyond(partition, least, found.nextSeq()))
                : reads.image(partition, query, Consistency.LEADER)
                        .thenCompose(newest -> newest.nextSeq() >= least
                                ? CompletableFuture.completedFuture(newest)
                                : CompletableFuture.failedFuture(beyond(partition, least, newest.nextSeq())));
    }

    private static RefusedException beyond(int partition, long least, long found) {
        return new RefusedException(Refusal.of(
                ErrorCode.BAD_CURSOR,
                "min_cursor: partition " + partition + " has come to seq " + found + ", expected " + least));
    }

    private ImageSet assemble(
            List<TableSchema> schemas,
            List<PartitionTables> parts,
            Optional<Instant> completeUntil,
            CancelSignal cancel) {
        TreeMap<Integer, Long> cut = new TreeMap<>();
        parts.forEach(part -> cut.put(part.partition(), part.nextSeq()));
        HeldImages held = new HeldImages(new ReadCut(new Cursor(cut), completeUntil), files);
        try {
            for (int i = 0; i < schemas.size(); i++) {
                held.add(schemas.get(i), i, parts, cancel);
            }
            return held;
        } catch (RuntimeException e) {
            held.close();
            throw e;
        } catch (InterruptedException e) {
            held.close();
            Thread.currentThread().interrupt();
            throw new CompletionException(e);
        }
    }

    private static Map<String, Set<String>> sets(Map<String, List<String>> tags) {
        Map<String, Set<String>> sets = new HashMap<>();
        tags.forEach((key, values) -> sets.put(key, Set.copyOf(new HashSet<>(values))));
        return sets;
    }

    private static ImageQuery query(List<TableNeed> needs, List<TableSchema> schemas) {
        List<ImageQuery.Table> tables = new ArrayList<>();
        for (int i = 0; i < needs.size(); i++) {
            TableNeed need = needs.get(i);
            List<Integer> columns = schemas.get(i).columns().stream()
                    .filter(column -> need.columns().contains(column.name()))
                    .map(Column::id)
                    .toList();
            tables.add(new ImageQuery.Table(
                    schemas.get(i).tableId(),
                    new RowPick(need.times().fromNanos(), need.times().toNanos(), sets(need.tags())),
                    columns,
                    need.newest()));
        }
        return new ImageQuery(tables);
    }
}
