package dev.weir.node.server;

import dev.weir.partition.engine.CachedSegments;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToDoubleFunction;

/** Reports how moved history is read as {@code weir_history_*}; how much of it there is, partitions tell ({@link PartitionMetrics}). */
final class HistoryMeters {
    private HistoryMeters() {}

    /** @param localBytes {@code retention.local-bytes} */
    static void register(MeterRegistry registry, CachedSegments segments, long localBytes) {
        gauge(registry, "weir_history_local_limit_bytes", segments, each -> localBytes);
        gauge(registry, "weir_history_fetching_segments", segments, CachedSegments::fetching);
        gauge(registry, "weir_history_queued_segments", segments, CachedSegments::queued);
        gauge(registry, "weir_history_fetching_segments_limit", segments, each -> CachedSegments.FETCHES_MAX);
        counter(registry, "weir_history_fetched_segments", segments, CachedSegments::fetched);
        counter(registry, "weir_history_store_reads", segments, CachedSegments::reads);
        counter(registry, "weir_history_store_read_failures", segments, CachedSegments::failures);
    }

    private static void gauge(
            MeterRegistry registry, String name, CachedSegments segments, ToDoubleFunction<CachedSegments> value) {
        Gauge.builder(name, segments, value).strongReference(true).register(registry);
    }

    private static void counter(
            MeterRegistry registry, String name, CachedSegments segments, ToDoubleFunction<CachedSegments> value) {
        FunctionCounter.builder(name, segments, value).register(registry);
    }
}
