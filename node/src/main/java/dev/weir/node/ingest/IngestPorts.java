package dev.weir.node.ingest;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.write.PartitionWrites;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

/**
 * What the front door needs of its node.
 *
 * @param checks that fail now
 */
public record IngestPorts(
        Catalog catalog,
        PartitionWrites writes,
        BatchIds batches,
        InstantSource clock,
        MeterRegistry meters,
        Supplier<List<HealthCheck>> checks) {}
