package dev.weir.node.server;

import dev.weir.partition.store.FileCache;
import dev.weir.partition.store.StoreMetrics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToDoubleFunction;

/** Reports the object store as {@code weir_store_*}, the files kept on this node's disk as {@code weir_cache_*}, and failed flushes. */
final class StoreMeters {
    private final MeterRegistry registry;

    private StoreMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    static void register(MeterRegistry registry, FileCache cache) {
        StoreMeters made = new StoreMeters(registry);
        StoreMetrics store = cache.store().metrics();
        made.counter("weir_store_requests", store, StoreMetrics::requests);
        made.counter("weir_store_errors", store, StoreMetrics::errors);
        made.counter("weir_store_retries", store, StoreMetrics::retries);
        made.counter("weir_store_up_bytes", store, StoreMetrics::bytesUp);
        made.counter("weir_store_down_bytes", store, StoreMetrics::bytesDown);
        made.gauge("weir_store_waiting_calls", store, StoreMetrics::waiting);
        made.gauge("weir_store_backoff_seconds", store, each -> each.backoffMs() / 1000.0);
        made.gauge("weir_store_clock_skew_seconds", store, each -> each.clockSkewMs() / 1000.0);
        made.gauge("weir_cache_bytes", cache, each -> each.stats().bytes());
        made.gauge("weir_cache_bytes_limit", cache, each -> each.stats().bytesMax());
        made.gauge("weir_cache_pinned_bytes", cache, each -> each.stats().pinnedBytes());
        made.counter("weir_cache_hits", cache, each -> each.stats().hits());
        made.counter("weir_cache_misses", cache, each -> each.stats().misses());
        made.gauge("weir_cache_hit_ratio", cache, each -> each.stats().hitRatio());
        made.counter("weir_cache_evictions", cache, each -> each.stats().evictions());
        made.counter("weir_cache_refused", cache, each -> each.stats().refused());
    }

    static void register(MeterRegistry registry, StoreTrial trial) {
        new StoreMeters(registry).gauge("weir_store_probe_passed", trial, each -> each.passed() ? 1 : 0);
    }

    static void register(MeterRegistry registry, Flushes flushes, FlushLag lag) {
        StoreMeters made = new StoreMeters(registry);
        made.gauge("weir_flush_failing_partitions", flushes, Flushes::troubled);
        made.gauge("weir_flush_lag_seconds", lag, FlushLag::seconds);
        made.gauge("weir_flush_lag_bytes", lag, FlushLag::bytes);
    }

    static void register(MeterRegistry registry, OrphanList orphans) {
        StoreMeters made = new StoreMeters(registry);
        made.gauge("weir_orphan_files", orphans, OrphanList::files);
        made.gauge("weir_orphan_bytes", orphans, OrphanList::bytes);
        made.counter("weir_orphan_removed_files", orphans, OrphanList::removed);
    }

    private <T> void gauge(String name, T source, ToDoubleFunction<T> value) {
        Gauge.builder(name, source, value).strongReference(true).register(registry);
    }

    private <T> void counter(String name, T source, ToDoubleFunction<T> value) {
        FunctionCounter.builder(name, source, value).register(registry);
    }
}
