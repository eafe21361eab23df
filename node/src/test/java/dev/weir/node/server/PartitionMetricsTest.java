package dev.weir.node.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.engine.BufferBudget;
import dev.weir.partition.engine.FileStats;
import dev.weir.partition.engine.HistoryStats;
import dev.weir.partition.engine.ReplicaStats;
import dev.weir.partition.engine.TableSeries;
import dev.weir.partition.engine.WriterStats;
import dev.weir.partition.write.WriterConfig;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class PartitionMetricsTest {
    private static final WriterConfig LIMITS =
            new WriterConfig(1000, 512, 4, 64, 10, 7000, Duration.ofDays(1), Duration.ofHours(1), 100);

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final PartitionMetrics metrics = new PartitionMetrics(registry, LIMITS, new BufferBudget(50, 60));
    private final AtomicInteger tableSeries = new AtomicInteger(7);

    @Test
    void reportsEachReplicaWithItsLimits() {
        metrics.opened(3, source(1));
        metrics.opened(4, source(2));

        assertThat(registry.scrape().lines())
                .contains(
                        "weir_partition_writer_bytes{partition=\"3\"} 100.0",
                        "weir_partition_writer_bytes{partition=\"4\"} 200.0",
                        "weir_partition_writer_bytes_limit{partition=\"3\"} 1000.0",
                        "weir_partition_writer_waiting_requests{partition=\"3\"} 2.0",
                        "weir_partition_writer_in_flight_entries{partition=\"3\"} 3.0",
                        "weir_partition_writer_in_flight_entries_limit{partition=\"3\"} 4.0",
                        "weir_partition_writer_entries_total{partition=\"3\"} 40.0",
                        "weir_partition_writer_requests_total{partition=\"3\"} 50.0",
                        "weir_partition_writer_overloaded_requests_total{partition=\"3\"} 7.0",
                        "weir_partition_writer_buffers_full_requests_total{partition=\"3\"} 8.0",
                        "weir_partition_segment_bytes{partition=\"3\"} 6000.0",
                        "weir_partition_segment_bytes_limit{partition=\"3\"} 7000.0",
                        "weir_partition_oldest_seq{partition=\"3\"} 2.0",
                        "weir_partition_next_seq{partition=\"3\"} 3.0",
                        "weir_partition_series{partition=\"3\"} 9.0",
                        "weir_partition_table_series{partition=\"3\"} 7.0",
                        "weir_partition_table_series_limit{partition=\"3\"} 10.0",
                        "weir_partition_voided_rows_total{partition=\"3\"} 16.0",
                        "weir_partition_repeated_batches_total{partition=\"3\"} 17.0",
                        "weir_partition_repeated_units_total{partition=\"3\"} 18.0",
                        "weir_partition_files{partition=\"3\"} 21.0",
                        "weir_partition_file_rows{partition=\"3\"} 22.0",
                        "weir_partition_file_bytes{partition=\"3\"} 23.0",
                        "weir_partition_deletes_in_force{partition=\"3\"} 24.0",
                        "weir_partition_key_points{partition=\"3\"} 25.0",
                        "weir_partition_key_bytes{partition=\"3\"} 26.0",
                        "weir_partition_flushes_total{partition=\"3\"} 27.0",
                        "weir_partition_flushed_rows_total{partition=\"3\"} 28.0",
                        "weir_partition_void_flushes_total{partition=\"3\"} 29.0",
                        "weir_partition_compactions_total{partition=\"3\"} 30.0",
                        "weir_partition_void_compactions_total{partition=\"3\"} 31.0",
                        "weir_partition_moved_segments{partition=\"3\"} 41.0",
                        "weir_partition_moved_segment_bytes{partition=\"3\"} 42.0",
                        "weir_partition_segment_moves_total{partition=\"3\"} 43.0",
                        "weir_partition_void_segment_moves_total{partition=\"3\"} 44.0",
                        "weir_partition_segment_move_failures_total{partition=\"3\"} 45.0",
                        "weir_buffer_rows_limit 50.0",
                        "weir_buffer_bytes_limit 60.0");
    }

    @Test
    void aReplicaThatWasSetAsideIsReportedNoMore() {
        metrics.opened(3, source(1));
        metrics.opened(4, source(1));

        metrics.closed(3);

        assertThat(registry.scrape()).doesNotContain("partition=\"3\"").contains("partition=\"4\"");
    }

    @Test
    void aReplicaOpenedAgainTakesThePlaceOfTheEarlier() {
        metrics.opened(3, source(1));
        metrics.opened(3, source(2));

        assertThat(registry.scrape().lines())
                .contains("weir_partition_writer_bytes{partition=\"3\"} 200.0")
                .doesNotContain("weir_partition_writer_bytes{partition=\"3\"} 100.0");
    }

    @Test
    void warnsFromEightyPercentOfTheLimitOfSeries() {
        metrics.opened(3, source(1));
        assertThat(registry.scrape()).contains("weir_partition_table_series_warning{partition=\"3\"} 0.0");

        tableSeries.set(8);

        assertThat(registry.scrape()).contains("weir_partition_table_series_warning{partition=\"3\"} 1.0");
    }

    @Test
    void saysOnceThatTheLimitOfSeriesIsNear() {
        SeriesWarning warning = new SeriesWarning(10);

        assertThat(warning.check(3, Optional.of(new TableSeries("t", "cpu", 7, "host"))))
                .isEmpty();
        assertThat(warning.check(3, Optional.of(new TableSeries("t", "cpu", 8, "host"))))
                .hasValueSatisfying(words -> assertThat(words)
                        .contains("partition 3", "table cpu", "tenant t", "8 series", "limits.series-per-table 10")
                        .endsWith("the tag with most values is host"));
        assertThat(warning.check(3, Optional.of(new TableSeries("t", "cpu", 9, "host"))))
                .isEmpty();
        assertThat(warning.check(4, Optional.of(new TableSeries("t", "cpu", 9, ""))))
                .isPresent();
        assertThat(new SeriesWarning(0).check(3, Optional.of(new TableSeries("t", "cpu", 9, ""))))
                .isEmpty();
    }

    private PartitionMetrics.Source source(int factor) {
        WriterStats writer = new WriterStats(100L * factor, 2, 3, 40, 50, 60, 7, 8);
        ReplicaStats replica = new ReplicaStats(1, 2, 3, 4, 5, 6000, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18);
        FileStats files = new FileStats(21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35);
        HistoryStats history = new HistoryStats(41, 42, 43, 44, 45);
        return new PartitionMetrics.Source(() -> writer, () -> replica, () -> files, () -> history, tableSeries::get);
    }
}
