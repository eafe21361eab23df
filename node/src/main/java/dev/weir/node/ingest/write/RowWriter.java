package dev.weir.node.ingest.write;

import dev.weir.node.ingest.BatchIds;
import dev.weir.node.ingest.rows.RowFault;
import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.write.PartitionWrites;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Writes bodies: reads the rows, agrees on new columns, sends each row to the partition of its series, and says of each what became of it. A row
 * counted as accepted is durable on a majority.
 *
 * <p>{@link #write} blocks and is called on virtual threads, many at once.
 */
public final class RowWriter {
    /** Readings of a body until its wishes are answered: one makes the columns, the next may widen them. */
    private static final int READINGS_MAX = 4;
    /** Times that rows are routed anew before they are left to the client. */
    private static final int ROUNDS_MAX = 5;

    private static final long MAP_WAIT_MS = 500;

    private final Catalog catalog;
    private final Sender sender;
    private final Workbench bench;
    private volatile @Nullable SlotMap slots;

    public RowWriter(Catalog catalog, PartitionWrites writes, BatchIds batches, Workbench bench) {
        this.catalog = catalog;
        this.sender = new Sender(writes, batches);
        this.bench = bench;
    }

    public WriteResult write(WriteOrder order) throws InterruptedException {
        SchemaView schemas = new SchemaView(catalog, order.tenant());
        Spread first = read(order, schemas, null, null);
        Reading reading = first.reading();
        RowFault bodyFault = reading.reader().bodyFault();
        Settlement settlement = new Settlement(reading.index(), reading.report());
        if (bodyFault == null) {
            settlement.settle(sender.send(order, first.lanes(), first.epoch()));
            long epoch = first.epoch();
            for (int round = 1; settlement.hasReroute() && round <= ROUNDS_MAX; round++) {
                epoch = again(order, schemas, reading, settlement, epoch);
            }
            giveUp(settlement);
        }
        return new WriteResult(
                bodyFault,
                reading.report(),
                settlement.commit(),
                settlement.merged(),
                reading.far(),
                refused(reading),
                reading.reader().droppedFields());
    }

    private static List<WriteResult.Refused> refused(Reading reading) {
        if (reading.report().rejected() == 0) {
            return List.of();
        }
        List<WriteResult.Refused> refused = new ArrayList<>();
        reading.report().kept().forEach((ordinal, row) -> {
            if (RowReport.isForGood(row.code())) {
                int place = reading.index().place(ordinal);
                refused.add(new WriteResult.Refused(row.line(), place, row.code(), row.message()));
            }
        });
        return refused;
    }

    private record Spread(Reading reading, List<Lane> lanes, long epoch) {}

    /** Reads the body, or some of its rows again, until nothing is wished any more. */
    private Spread read(WriteOrder order, SchemaView schemas, @Nullable IntList rows, @Nullable Reading before)
            throws InterruptedException {
        for (int count = 1; ; count++) {
            boolean last = count == READINGS_MAX;
            SlotMap map = slots(schemas.image());
            Spread spread = bench.use(pool -> {
                SlotRouter router = new SlotRouter(map, pool, order.idempotency() != null);
                Reading reading = new Reading(order, schemas, router, last);
                if (rows == null || before == null) {
                    reading.all();
                } else {
                    reading.again(rows, before);
                }
                return new Spread(reading, router.finish(), map.epoch());
            });
            if (spread.reading().wishes().isEmpty()) {
                return spread;
            }
            schemas.agree(spread.reading().wishes().byTable());
        }
    }

    /** Routes anew what was set aside, by a newer map and newer schemas. */
    private long again(WriteOrder order, SchemaView schemas, Reading first, Settlement settlement, long epoch)
            throws InterruptedException {
        IntList rows = settlement.takeReroute();
        Refusal refusal = settlement.dropsSeen() ? linearize() : null;
        if (refusal != null) {
            settlement.refuse(rows, refusal.code(), refusal.message());
            return epoch;
        }
        if (!settlement.dropsSeen()) {
            awaitMapAfter(epoch);
        }
        schemas.renew();
        Spread spread = read(order, schemas, rows, first);
        first.report().add(spread.reading().report());
        settlement.settle(sender.send(order, spread.lanes(), spread.epoch()));
        return spread.epoch();
    }

    private static void giveUp(Settlement settlement) {
        if (!settlement.hasReroute()) {
            return;
        }
        if (settlement.dropsSeen()) {
            settlement.refuse(
                    settlement.takeReroute(),
                    ErrorCode.TABLE_DROPPED,
                    "the table was dropped while the row was written");
        } else {
            settlement.refuse(
                    settlement.takeReroute(),
                    ErrorCode.NO_LEADER,
                    "the row's slot is moving to another partition: send the row again");
        }
    }

    private @Nullable Refusal linearize() {
        try {
            catalog.linearize().toCompletableFuture().join();
            return null;
        } catch (CompletionException e) {
            return SchemaView.refusalOf(e);
        }
    }

    /** Waits a moment for a newer map; one that does not come is not waited for again until the next round. */
    private void awaitMapAfter(long epoch) throws InterruptedException {
        CompletableFuture<Void> newer = new CompletableFuture<>();
        try (AutoCloseable listener = catalog.onChange(image -> {
            if (image.epoch() > epoch) {
                newer.complete(null);
            }
        })) {
            if (catalog.image().epoch() <= epoch) {
                newer.get(MAP_WAIT_MS, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            throw e;
        } catch (TimeoutException e) {
            // The next round asks the partition again.
        } catch (Exception e) {
            throw new IllegalStateException("waiting for the partition map failed", e);
        }
    }

    private SlotMap slots(CatalogImage image) {
        SlotMap known = slots;
        if (known == null || known.epoch() != image.epoch()) {
            known = new SlotMap(image);
            slots = known;
        }
        return known;
    }

    /** Whether the catalog is there; for health answers. */
    public Optional<String> notReady() {
        return catalog.image().born() ? Optional.empty() : Optional.of("the cluster has not been born yet");
    }
}
