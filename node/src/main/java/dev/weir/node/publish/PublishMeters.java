package dev.weir.node.publish;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** Reports publishing as {@code weir_publish_*}: of the tables that this node publishes, none where it does not lead the catalog. */
public final class PublishMeters {
    private PublishMeters() {}

    public static void register(MeterRegistry registry, Publisher publisher) {
        Gauge.builder("weir_publish_tables", publisher, Publisher::tables)
                .strongReference(true)
                .register(registry);
        Gauge.builder("weir_publish_failing_tables", publisher, Publisher::failingTables)
                .strongReference(true)
                .register(registry);
        Gauge.builder("weir_publish_waiting_rewrites", publisher, Publisher::waitingRewrites)
                .strongReference(true)
                .register(registry);
        Gauge.builder("weir_publish_lag_seconds", publisher, Publisher::lagSeconds)
                .strongReference(true)
                .register(registry);
        FunctionCounter.builder("weir_publish_versions", publisher, Publisher::versions)
                .register(registry);
        FunctionCounter.builder("weir_publish_failures", publisher, Publisher::failures)
                .register(registry);
    }
}
