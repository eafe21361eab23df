package dev.weir.node.server;

import dev.weir.node.lead.LeadKeeper;
import dev.weir.node.quota.TenantSeriesCensus;
import dev.weir.partition.catalog.CatalogImage;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;

/** Reports how this node stands as a leader, as {@code weir_lead_*}, what tenants have, as {@code weir_tenant_*}, what leases may hold, and operations. */
final class NodeMetrics {
    private NodeMetrics() {}

    static void register(MeterRegistry registry, LeadKeeper keeper) {
        Gauge.builder("weir_lead_clock_ahead_seconds", keeper, each -> each.clockAheadMs() / 1000.0)
                .strongReference(true)
                .register(registry);
        Gauge.builder("weir_lead_clock_ahead_seconds_limit", () -> LeadKeeper.CLOCK_AHEAD_MS_MAX / 1000.0)
                .register(registry);
        FunctionCounter.builder("weir_lead_transfers", keeper, LeadKeeper::transfers)
                .register(registry);
    }

    static void register(MeterRegistry registry, TenantSeriesCensus census) {
        Gauge.builder("weir_tenant_series_largest", census, TenantSeriesCensus::largest)
                .strongReference(true)
                .register(registry);
        Gauge.builder("weir_tenant_series_limit", census, TenantSeriesCensus::seriesMax)
                .strongReference(true)
                .register(registry);
        Gauge.builder("weir_tenant_series_warnings", census, TenantSeriesCensus::near)
                .strongReference(true)
                .register(registry);
    }

    /** Of the whole cluster, as this node knows. */
    static void registerOperations(MeterRegistry registry, Supplier<CatalogImage> image) {
        Gauge.builder(
                        "weir_operations_live",
                        () -> image.get().operations().stream()
                                .filter(each -> each.state().isLive())
                                .count())
                .description("operations that run, are paused, or are being cancelled")
                .register(registry);
    }

    /** @param bytesMax log of a partition that leases hold beyond its retention */
    static void registerLeaseLog(MeterRegistry registry, long bytesMax) {
        Gauge.builder("weir_cdc_lease_log_limit_bytes", () -> bytesMax)
                .description("cdc.lease-log-bytes")
                .register(registry);
    }
}
