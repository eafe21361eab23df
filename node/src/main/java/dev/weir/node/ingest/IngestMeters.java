package dev.weir.node.ingest;

import dev.weir.node.ingest.write.Workbench;
import dev.weir.node.ingest.write.WriteResult;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The front door's metrics, {@code weir_ingest_*}. Shared by threads. */
final class IngestMeters {
    private final MeterRegistry registry;
    private final Counter accepted;
    private final Counter merged;
    private final Counter farTimes;
    private final Counter droppedFields;
    private final Counter bytes;
    private final DistributionSummary batch;
    private final Timer latency;
    private final AtomicInteger requests = new AtomicInteger();

    IngestMeters(MeterRegistry registry, BytesBudget budget, Workbench bench) {
        this.registry = registry;
        accepted = counter("weir_ingest_rows_accepted", "Rows stored");
        merged = counter("weir_ingest_rows_merged", "Stored rows whose series and time existed before");
        farTimes = Counter.builder("weir_ingest_warnings")
                .tag("kind", "time_far_from_now")
                .description("Rows with a time more than a year from now")
                .register(registry);
        droppedFields = Counter.builder("weir_ingest_warnings")
                .tag("kind", "nan_dropped")
                .description("Fields left out since they were no numbers")
                .register(registry);
        bytes = counter("weir_ingest_body_bytes", "Bytes of bodies, inflated");
        batch = DistributionSummary.builder("weir_ingest_rows_per_request").register(registry);
        latency = Timer.builder("weir_ingest_request_seconds")
                .description("From the end of the body to the answer")
                .publishPercentileHistogram()
                .register(registry);
        Gauge.builder("weir_ingest_in_flight_bytes", budget, BytesBudget::used).register(registry);
        Gauge.builder("weir_ingest_in_flight_bytes_max", budget, BytesBudget::bytesMax)
                .register(registry);
        Gauge.builder("weir_ingest_in_flight_requests", requests, AtomicInteger::get)
                .register(registry);
        Gauge.builder("weir_ingest_workbench_busy_places", bench, Workbench::busy)
                .register(registry);
    }

    void began() {
        requests.incrementAndGet();
    }

    void ended(long nanos, int status) {
        requests.decrementAndGet();
        latency.record(nanos, TimeUnit.NANOSECONDS);
        registry.counter("weir_ingest_requests", "status", Integer.toString(status))
                .increment();
    }

    void body(int length) {
        bytes.increment(length);
    }

    void wrote(WriteResult result) {
        accepted.increment(result.rows().accepted());
        merged.increment(result.merged());
        farTimes.increment(result.far().count());
        droppedFields.increment(result.droppedFields());
        batch.record(result.rows().accepted()
                + result.rows().rejected()
                + result.rows().retry()
                + result.rows().unknown());
        result.rows()
                .byCode()
                .forEach((code, rows) -> registry.counter("weir_ingest_rows_refused", "code", code.wireName())
                        .increment(rows));
    }

    private Counter counter(String name, String description) {
        return Counter.builder(name).description(description).register(registry);
    }
}
