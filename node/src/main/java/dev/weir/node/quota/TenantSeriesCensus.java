package dev.weir.node.quota;

import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.partition.write.TenantSeriesLimit;
import dev.weir.partition.write.TenantSeriesQuota;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the series of tenants every few seconds, here and, for partitions that this node does not hold, on others, and says what this
 * node's leaders may let in: the limit of a tenant holds approximately, see {@link SeriesShares}. The decision itself is made in the
 * partition's log, with the numbers that the leader put there.
 *
 * <p>A thread of its own; {@link #limit} and the figures from any thread.
 */
public final class TenantSeriesCensus implements TenantSeriesQuota, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TenantSeriesCensus.class);
    private static final long TICK_MS = 3_000;

    private final String self;
    private final int seriesMax;
    private final Supplier<CatalogImage> images;
    private final Supplier<Map<Integer, Map<String, Integer>>> local;
    private final SeriesCountSource source;
    private final Map<Integer, Map<String, Integer>> remote = new ConcurrentHashMap<>();
    private final Set<String> asked = ConcurrentHashMap.newKeySet();
    private final Set<String> warned = new HashSet<>();
    private final ScheduledExecutorService worker = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("weir-series").daemon().factory());
    private volatile SeriesShares shares;

    /**
     * @param seriesMax {@code limits.series-per-tenant}
     * @param local what the replicas of this node have: partition → tenant → series
     */
    public TenantSeriesCensus(
            String self,
            int seriesMax,
            Supplier<CatalogImage> images,
            Supplier<Map<Integer, Map<String, Integer>>> local,
            SeriesCountSource source) {
        this.self = self;
        this.seriesMax = seriesMax;
        this.images = images;
        this.local = local;
        this.source = source;
        this.shares = SeriesShares.of(seriesMax, Map.of(), 0);
    }

    public void start() {
        worker.scheduleWithFixedDelay(this::tick, 0, TICK_MS, TimeUnit.MILLISECONDS);
    }

    @Override
    public @Nullable TenantSeriesLimit limit(int partition, String tenant) {
        return shares.limit(partition, tenant);
    }

    /** Series of the tenant that has most. */
    public long largest() {
        return shares.largest();
    }

    /** Tenants that have 80 % of the limit or more. */
    public long near() {
        return shares.near();
    }

    public int seriesMax() {
        return seriesMax;
    }

    private void tick() {
        try {
            count();
        } catch (RuntimeException e) { // the next count must come, whatever this one met
            LOG.error("counting series failed", e);
        }
    }

    void count() {
        CatalogImage image = images.get();
        Map<Integer, Map<String, Integer>> counts = new ConcurrentHashMap<>(remote);
        counts.putAll(local.get());
        counts.keySet().retainAll(image.partitions().keySet());
        SeriesShares now = SeriesShares.of(seriesMax, counts, image.partitions().size());
        shares = now;
        warn(now);
        if (counts.size() < image.partitions().size() || !remote.isEmpty()) {
            image.nodes().values().forEach(this::ask);
        }
    }

    private void ask(NodeRecord node) {
        if (node.id().equals(self) || !asked.add(node.id())) {
            return;
        }
        source.ask(node).whenComplete((counts, failure) -> {
            if (failure == null) {
                remote.putAll(counts);
            }
            asked.remove(node.id());
        });
    }

    private void warn(SeriesShares now) {
        warned.removeIf(tenant -> !now.isNear(tenant));
        now.totals().forEach((tenant, series) -> {
            if (now.isNear(tenant) && warned.add(tenant)) {
                LOG.warn(
                        "tenant {} has {} series, over 80 % of limits.series-per-tenant {}", tenant, series, seriesMax);
            }
        });
    }

    @Override
    public void close() {
        worker.shutdownNow();
    }
}
