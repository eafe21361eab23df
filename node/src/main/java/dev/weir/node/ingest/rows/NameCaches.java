package dev.weir.node.ingest.rows;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What a node remembers of names and series, so that known ones cost no parsing. Bounded; forgetting costs time only. One for a node, shared by
 * threads.
 */
public final class NameCaches {
    /** Tables and columns that are remembered; past that all are forgotten. About 200 bytes each. */
    private static final int NAMES_MAX = 200_000;

    private final ConcurrentHashMap<String, TenantNames> tenants = new ConcurrentHashMap<>();
    private final AtomicInteger names = new AtomicInteger();
    private final SeriesCache series;

    /** @param seriesBytes heap for known series */
    public NameCaches(long seriesBytes) {
        series = new SeriesCache(seriesBytes);
    }

    public TenantNames tenant(String tenant) {
        return tenants.computeIfAbsent(tenant, name -> new TenantNames(name, this));
    }

    SeriesCache series() {
        return series;
    }

    void counted() {
        if (names.incrementAndGet() > NAMES_MAX) {
            names.set(0);
            tenants.clear();
        }
    }
}
