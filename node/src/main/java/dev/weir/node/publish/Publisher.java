package dev.weir.node.publish;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.delta.TablePublisher;
import dev.weir.partition.engine.PartitionFiles;
import dev.weir.partition.model.Publication;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.store.DataFileKeys;
import dev.weir.partition.store.StoreClaim;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps published tables current, on the catalog's leader; idle on every other node. Two that run at once harm nothing: one of them commits. Whatever fails, the
 * table stays as it was published last, and the next look goes on; each look after a failure waits longer.
 */
public final class Publisher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Publisher.class);
    private static final long ANSWER_SECONDS_MAX = 60;
    private static final Duration PAUSE_MAX = Duration.ofMinutes(5);

    private final BooleanSupplier leads;
    private final Catalog catalog;
    private final PartitionPort partitions;
    private final StoreClaim claim;
    private final TablePublisher tables;
    private final Duration interval;
    private final Rewrites rewrites;
    private final Map<Integer, Standing> standings = new ConcurrentHashMap<>();
    private final AtomicLong versions = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final Semaphore wake = new Semaphore(0);
    private final Thread thread;
    private volatile boolean closed;

    /**
     * How it goes with a table.
     *
     * @param failed looks in a row that failed
     * @param nextNanos when to look again after a failure
     * @param wholeNanos when the published version last was all that there was in files
     * @param rewrites days that have to be rewritten first
     * @param failure of the last look; empty: it did not fail
     */
    private record Standing(int failed, long nextNanos, long wholeNanos, int rewrites, String failure) {}

    /**
     * @param leads this node is the one to publish
     * @param claim of the store
     * @param interval between looks
     */
    public Publisher(
            BooleanSupplier leads,
            Catalog catalog,
            PartitionPort partitions,
            StoreClaim claim,
            TablePublisher tables,
            Duration interval) {
        this.leads = leads;
        this.catalog = catalog;
        this.partitions = partitions;
        this.claim = claim;
        this.tables = tables;
        this.interval = interval;
        this.rewrites = new Rewrites(partitions, System::nanoTime, wake::release);
        this.thread = Thread.ofPlatform().name("weir-publisher").daemon().unstarted(this::loop);
    }

    public void start() {
        thread.start();
    }

    /** Tables that this node publishes. */
    int tables() {
        return standings.size();
    }

    /** Of these, those at which the last look failed. */
    long failingTables() {
        return standings.values().stream().filter(each -> each.failed > 0).count();
    }

    /** Tables at which the last look failed, and why. */
    public List<String> failing() {
        return standings.values().stream()
                .map(Standing::failure)
                .filter(failure -> !failure.isEmpty())
                .sorted()
                .toList();
    }

    /** Days of a table in a partition whose files have to become one before they can be published. */
    long waitingRewrites() {
        return standings.values().stream().mapToLong(Standing::rewrites).sum();
    }

    /** The longest time since a table's published version was all that there was in files. */
    double lagSeconds() {
        long now = System.nanoTime();
        return standings.values().stream()
                .mapToDouble(each -> (now - each.wholeNanos) / 1e9)
                .max()
                .orElse(0);
    }

    /** Versions committed since the start. */
    long versions() {
        return versions.get();
    }

    /** Looks that failed since the start. */
    long failures() {
        return failures.get();
    }

    private void loop() {
        while (!closed) {
            try {
                look();
                wake.drainPermits();
                wake.tryAcquire(interval.toNanos(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                if (!closed) {
                    LOG.warn("the publisher was interrupted without being closed; it goes on");
                }
            }
        }
    }

    private void look() throws InterruptedException {
        List<TableSchema> published = leads.getAsBoolean() ? published(catalog.image()) : List.of();
        Set<Integer> ids = published.stream().map(TableSchema::tableId).collect(Collectors.toSet());
        standings.keySet().retainAll(ids);
        rewrites.keep(ids);
        for (TableSchema table : published) {
            Standing standing = standings.computeIfAbsent(
                    table.tableId(), id -> new Standing(0, System.nanoTime(), System.nanoTime(), 0, ""));
            if (!closed && System.nanoTime() - standing.nextNanos >= 0) {
                look(table, standing);
            }
        }
    }

    private void look(TableSchema table, Standing before) throws InterruptedException {
        try {
            claim.require();
            TablePublisher.Round round = tables.round(prefix(table), () -> files(table), () -> newest(table));
            long now = System.nanoTime();
            boolean whole = round.rewrites().isEmpty();
            standings.put(
                    table.tableId(),
                    new Standing(
                            0,
                            now,
                            whole ? now : before.wholeNanos,
                            round.rewrites().size(),
                            ""));
            rewrites.want(table, round.rewrites());
            round.version().ifPresent(version -> committed(table, version, round));
            if (before.failed > 0) {
                LOG.info("table {} of tenant {}: is published again", table.name(), table.tenant());
            }
        } catch (IOException | RuntimeException e) {
            failed(table, before, e);
        }
    }

    private void committed(TableSchema table, long version, TablePublisher.Round round) {
        versions.incrementAndGet();
        if (version == 0) {
            LOG.info(
                    "table {} of tenant {}: published as Delta Lake under {}, {} files",
                    table.name(),
                    table.tenant(),
                    prefix(table),
                    round.files());
        }
    }

    private void failed(TableSchema table, Standing before, Exception e) throws InterruptedException {
        if (closed || Thread.interrupted()) {
            throw new InterruptedException("publishing " + table);
        }
        failures.incrementAndGet();
        Duration pause = interval.multipliedBy(1L << Math.min(before.failed, 16));
        Duration bounded = pause.compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : pause;
        standings.put(
                table.tableId(),
                new Standing(
                        before.failed + 1,
                        System.nanoTime() + bounded.toNanos(),
                        before.wholeNanos,
                        before.rewrites,
                        "table " + table.name() + " of tenant " + table.tenant() + " is not published: "
                                + e.getMessage()));
        if (e instanceof IOException || e instanceof RefusedException) {
            LOG.warn(
                    "table {} of tenant {}: not published, the next look in {} s: {}",
                    table.name(),
                    table.tenant(),
                    bounded.toSeconds(),
                    e.getMessage());
        } else {
            LOG.error("table {} of tenant {}: not published", table.name(), table.tenant(), e);
        }
    }

    private List<PartitionFiles> files(TableSchema table) throws IOException, InterruptedException {
        List<CompletableFuture<PartitionFiles>> asked = new ArrayList<>();
        for (int partition : catalog.image().partitions().keySet()) {
            asked.add(partitions.tableFiles(partition, table.tableId()).toCompletableFuture());
        }
        List<PartitionFiles> files = new ArrayList<>();
        for (CompletableFuture<PartitionFiles> each : asked) {
            try {
                files.add(each.get(ANSWER_SECONDS_MAX, TimeUnit.SECONDS));
            } catch (ExecutionException e) {
                Throwable cause = e.getCause();
                throw new IOException(cause == null ? e.toString() : String.valueOf(cause.getMessage()), e);
            } catch (TimeoutException e) {
                throw new IOException("a partition did not answer in " + ANSWER_SECONDS_MAX + " s", e);
            }
        }
        return files;
    }

    /** As this node's image has it now; one that was dropped meanwhile as it was. */
    private TableSchema newest(TableSchema table) {
        return catalog.image()
                .table(table.tenant(), table.name())
                .filter(now -> now.tableId() == table.tableId())
                .orElse(table);
    }

    private static List<TableSchema> published(CatalogImage image) {
        List<TableSchema> published = new ArrayList<>();
        for (String tenant : image.tenants().keySet()) {
            for (TableSchema table : image.tables(tenant)) {
                if (image.settings(table.tableId()).published() == Publication.DELTA) {
                    published.add(table);
                }
            }
        }
        return published;
    }

    private static String prefix(TableSchema table) {
        return DataFileKeys.tablePrefix(table.tenant(), table.name(), table.tableId());
    }

    /** Ends the loop; a look that is under way is broken off. */
    @Override
    public void close() throws InterruptedException {
        closed = true;
        thread.interrupt();
        thread.join(Duration.ofSeconds(5));
    }
}
