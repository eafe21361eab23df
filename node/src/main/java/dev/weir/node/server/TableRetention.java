package dev.weir.node.server;

import dev.weir.node.ingest.BatchIds;
import dev.weir.node.internal.Attempt;
import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.engine.RetentionPolicy;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.write.AppendOutcome;
import dev.weir.partition.write.DeleteRequest;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes rows that are older than their table's retention from the partitions that this node leads: looks every few seconds, and where a delete seems due
 * asks the catalog how long rows are kept now, then proposes it; at most one of a table in a partition is on its way at a time. What fails is tried again
 * at a later look: a node that can't reach the catalog deletes nothing.
 */
final class TableRetention {
    private static final Logger LOG = LoggerFactory.getLogger(TableRetention.class);
    private static final long LOOK_SECONDS = 5;
    /** Until a node that has just started knows the others' clocks. */
    private static final long FIRST_LOOK_SECONDS = 15;

    private final Supplier<? extends List<? extends RetainedRows>> held;
    private final Catalog catalog;
    private final BatchIds batches;
    private final RetentionPolicy policy;
    private final InstantSource clock;
    private final BooleanSupplier clockIsFit;
    private final Executor executor;
    private final AtomicBoolean asking = new AtomicBoolean();
    private final Set<Place> underWay = ConcurrentHashMap.newKeySet();

    private record Place(int partition, int tableId) {}

    /**
     * @param clockIsFit nothing is deleted while it says no: a clock that is ahead would take what is young
     * @param executor proposes deletes
     */
    TableRetention(
            Supplier<? extends List<? extends RetainedRows>> held,
            Catalog catalog,
            BatchIds batches,
            RetentionPolicy policy,
            InstantSource clock,
            BooleanSupplier clockIsFit,
            Executor executor) {
        this.held = held;
        this.catalog = catalog;
        this.batches = batches;
        this.policy = policy;
        this.clock = clock;
        this.clockIsFit = clockIsFit;
        this.executor = executor;
    }

    void start(ScheduledExecutorService timer) {
        timer.scheduleWithFixedDelay(this::look, FIRST_LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
    }

    /** Called by one thread. */
    void look() {
        try {
            if (!due().isEmpty() && asking.compareAndSet(false, true)) {
                catalog.linearize()
                        .thenRunAsync(() -> due().forEach(this::delete), executor)
                        .whenComplete((done, failure) -> {
                            asking.set(false);
                            if (failure != null) {
                                LOG.info("rows older than their retention stay for now: {}", failure.getMessage());
                            }
                        });
            }
        } catch (RuntimeException e) {
            LOG.error("looking for rows older than their retention failed; the next look is in {} s", LOOK_SECONDS, e);
        }
    }

    /** @param throughNanos last timestamp to delete */
    private record Due(RetainedRows partition, TableSchema table, long throughNanos) {}

    /** As this node knows tables and time now. */
    private List<Due> due() {
        Instant now = clock.instant();
        long nowNanos = now.getEpochSecond() * 1_000_000_000L + now.getNano();
        CatalogImage image = catalog.image();
        List<TableSchema> tables = clockIsFit.getAsBoolean() ? expiring(image) : List.of();
        List<Due> all = new ArrayList<>();
        for (RetainedRows partition : tables.isEmpty() ? List.<RetainedRows>of() : held.get()) {
            for (TableSchema table : partition.leads() ? tables : List.<TableSchema>of()) {
                policy.due(image.settings(table.tableId()), partition.oldestNanos(table.tableId()), nowNanos)
                        .ifPresent(through -> all.add(new Due(partition, table, through)));
            }
        }
        return all;
    }

    private static List<TableSchema> expiring(CatalogImage image) {
        List<TableSchema> tables = new ArrayList<>();
        for (String tenant : image.tenants().keySet()) {
            for (TableSchema table : image.tables(tenant)) {
                if (image.settings(table.tableId()).expires()) {
                    tables.add(table);
                }
            }
        }
        return tables;
    }

    private void delete(Due due) {
        Place place = new Place(due.partition.partition(), due.table.tableId());
        if (underWay.add(place)) {
            delete(due.partition, request(due.partition, due.table, due.throughNanos))
                    .whenComplete((attempt, failure) -> {
                        underWay.remove(place);
                        String trouble = trouble(attempt, failure);
                        if (trouble != null) {
                            LOG.info(
                                    "partition {}: rows of table {} older than its retention stay for now: {}",
                                    place.partition(),
                                    due.table.name(),
                                    trouble);
                        }
                    });
        }
    }

    /** A replica that closes meanwhile fails like a log that does not answer. */
    private static CompletionStage<Attempt> delete(RetainedRows partition, DeleteRequest request) {
        try {
            return partition.delete(request);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private DeleteRequest request(RetainedRows partition, TableSchema table, long throughNanos) {
        return new DeleteRequest(
                partition.partition(),
                partition.generation(),
                batches.next(),
                table.tenant(),
                table.tableId(),
                table.name(),
                null,
                new DeleteRequest.Range(List.of(), Long.MIN_VALUE, throughNanos, true),
                batches.nextChangeId());
    }

    /** Null where the delete holds. */
    private static @Nullable String trouble(@Nullable Attempt attempt, @Nullable Throwable failure) {
        if (attempt == null || failure != null) {
            return String.valueOf(failure);
        }
        return switch (attempt) {
            case Attempt.Elsewhere elsewhere -> elsewhere.why();
            case Attempt.Open open -> open.why();
            case Attempt.Done done ->
                switch (done.outcome()) {
                    case AppendOutcome.Applied applied ->
                        applied.voided().isEmpty()
                                ? null
                                : applied.voided().getFirst().message();
                    case AppendOutcome.Refused refused -> refused.refusal().message();
                    case AppendOutcome.Unknown unknown -> unknown.message();
                };
        };
    }
}
