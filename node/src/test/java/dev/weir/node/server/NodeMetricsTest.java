package dev.weir.node.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Test;

final class NodeMetricsTest {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    @Test
    void saysHowMuchLogLeasesMayHold() {
        NodeMetrics.registerLeaseLog(registry, 4096);

        assertThat(registry.scrape().lines()).contains("weir_cdc_lease_log_limit_bytes 4096.0");
    }
}
