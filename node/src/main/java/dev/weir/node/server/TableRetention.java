package dev.weir.node.server;

import dev.weir.node.ingest.BatchIds;
import dev.weir.node.internal.Attempt;
import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.engine.RetentionPolicy;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.TableSettings;
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
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes rows that are older than their table's retention from the partitions that this node leads: looks every few seconds, and proposes a delete where
 * one is due; at most one of a table in a partition is on its way at a time. One that fails is tried again at a later look.
 */
final class TableRetention {
    private static final Logger LOG = LoggerFactory.getLogger(TableRetention.class);
    private static final long LOOK_SECONDS = 5;
    /** Until a node that has just started knows the others' clocks. */
    private static final long FIRST_LOOK_SECONDS = 15;

    private final Supplier<List<HeldPartition>> held;
    private final Catalog catalog;
    private final BatchIds batches;
    private final RetentionPolicy policy;
    private final InstantSource clock;
    private final BooleanSupplier clockIsFit;
    private final Set<Place> underWay = ConcurrentHashMap.newKeySet();

    private record Place(int partition, int tableId) {}

    /** @param clockIsFit nothing is deleted while it says no: a clock that is ahead would take what is young */
    TableRetention(
            Supplier<List<HeldPartition>> held,
            Catalog catalog,
            BatchIds batches,
            RetentionPolicy policy,
            InstantSource clock,
            BooleanSupplier clockIsFit) {
        this.held = held;
        this.catalog = catalog;
        this.batches = batches;
        this.policy = policy;
        this.clock = clock;
        this.clockIsFit = clockIsFit;
    }

    void start(ScheduledExecutorService timer) {
        timer.scheduleWithFixedDelay(this::look, FIRST_LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
    }

    /** Called by one thread. */
    void look() {
        try {
            Instant now = clock.instant();
            long nowNanos = now.getEpochSecond() * 1_000_000_000L + now.getNano();
            CatalogImage image = catalog.image();
            List<TableSchema> tables = clockIsFit.getAsBoolean() ? expiring(image) : List.of();
            for (HeldPartition partition : tables.isEmpty() ? List.<HeldPartition>of() : held.get()) {
                for (TableSchema table : partition.leads() ? tables : List.<TableSchema>of()) {
                    look(partition, table, image.settings(table.tableId()), nowNanos);
                }
            }
        } catch (RuntimeException e) {
            LOG.error("looking for rows older than their retention failed; the next look is in {} s", LOOK_SECONDS, e);
        }
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

    private void look(HeldPartition partition, TableSchema table, TableSettings settings, long nowNanos) {
        long oldest = partition.replica().oldestNanos(table.tableId());
        policy.due(settings, oldest, nowNanos).ifPresent(through -> {
            Place place = new Place(partition.partition(), table.tableId());
            if (underWay.add(place)) {
                delete(partition, request(partition, table, through)).whenComplete((attempt, failure) -> {
                    underWay.remove(place);
                    String trouble = trouble(attempt, failure);
                    if (trouble != null) {
                        LOG.info(
                                "partition {}: rows of table {} older than its retention stay for now: {}",
                                place.partition(),
                                table.name(),
                                trouble);
                    }
                });
            }
        });
    }

    /** A replica that closes meanwhile fails like a log that does not answer. */
    private static CompletionStage<Attempt> delete(HeldPartition partition, DeleteRequest request) {
        try {
            return partition.delete(request);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private DeleteRequest request(HeldPartition partition, TableSchema table, long throughNanos) {
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
