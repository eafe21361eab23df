package dev.weir.node.server;

import dev.weir.partition.engine.BufferBudget;
import dev.weir.partition.engine.FileStats;
import dev.weir.partition.engine.HistoryStats;
import dev.weir.partition.engine.ReplicaStats;
import dev.weir.partition.engine.WriterStats;
import dev.weir.partition.write.WriterConfig;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Reports this node's replicas as {@code weir_partition_*}, labelled with the partition, and what they share as {@code weir_buffer_*}. Limits
 * are gauges beside what they limit. Counters begin anew when a replica is opened. Any thread.
 */
final class PartitionMetrics {
    private final MeterRegistry registry;
    private final WriterConfig limits;
    private final Map<Integer, List<Meter.Id>> meters = new ConcurrentHashMap<>();

    /**
     * What is read of a replica at each scrape.
     *
     * @param tableSeries of its fullest table
     */
    record Source(
            Supplier<WriterStats> writer,
            Supplier<ReplicaStats> replica,
            Supplier<FileStats> files,
            Supplier<HistoryStats> history,
            Supplier<Integer> tableSeries) {
        static Source of(HeldPartition held) {
            return new Source(
                    held.writer()::stats,
                    held.replica()::stats,
                    held.replica()::fileStats,
                    held.flusher()::historyStats,
                    () -> SeriesWarning.series(held.replica()));
        }
    }

    PartitionMetrics(MeterRegistry registry, WriterConfig limits, BufferBudget budget) {
        this.registry = registry;
        this.limits = limits;
        node("weir_buffer_rows", budget, BufferBudget::rows);
        node("weir_buffer_rows_limit", budget, BufferBudget::rowsMax);
        node("weir_buffer_bytes", budget, BufferBudget::bytes);
        node("weir_buffer_bytes_limit", budget, BufferBudget::bytesMax);
    }

    private void node(String name, BufferBudget budget, ToDoubleFunction<BufferBudget> value) {
        Gauge.builder(name, budget, value).strongReference(true).register(registry);
    }

    /** A replica is open; takes the place of an earlier one of the partition. */
    void opened(int partition, Source source) {
        closed(partition);
        Meters made = new Meters(partition);
        writer(made, source.writer());
        replica(made, source.replica());
        files(made, source.files());
        history(made, source.history());
        series(made, source);
        meters.put(partition, List.copyOf(made.ids));
    }

    /** The replica was set aside: nothing of it is reported any more. */
    void closed(int partition) {
        List<Meter.Id> ids = meters.remove(partition);
        if (ids != null) {
            ids.forEach(registry::remove);
        }
    }

    private void writer(Meters made, Supplier<WriterStats> stats) {
        made.gauge("writer_bytes", stats, WriterStats::bytes);
        made.limit("writer_bytes_limit", WriterConfig::bytesMax);
        made.gauge("writer_waiting_requests", stats, WriterStats::waiting);
        made.gauge("writer_in_flight_entries", stats, WriterStats::inFlight);
        made.limit("writer_in_flight_entries_limit", WriterConfig::entriesMax);
        made.counter("writer_entries", stats, WriterStats::entries);
        made.counter("writer_entry_bytes", stats, WriterStats::entryBytes);
        made.counter("writer_requests", stats, WriterStats::requests);
        made.counter("writer_overloaded_requests", stats, WriterStats::overloaded);
        made.counter("writer_buffers_full_requests", stats, WriterStats::buffersFull);
    }

    private void replica(Meters made, Supplier<ReplicaStats> stats) {
        made.gauge("segment_bytes", stats, ReplicaStats::segmentBytes);
        made.limit("segment_bytes_limit", WriterConfig::retentionBytes);
        made.gauge("segments", stats, ReplicaStats::segments);
        made.gauge("buffered_rows", stats, ReplicaStats::bufferedRows);
        made.gauge("oldest_seq", stats, ReplicaStats::oldestSeq);
        made.gauge("next_seq", stats, ReplicaStats::nextSeq);
        made.counter("applied_entries", stats, ReplicaStats::entries);
        made.counter("applied_entry_bytes", stats, ReplicaStats::entryBytes);
        made.counter("inserted_rows", stats, ReplicaStats::inserted);
        made.counter("updated_rows", stats, ReplicaStats::updated);
        made.counter("voided_rows", stats, ReplicaStats::voided);
        made.counter("repeated_batches", stats, ReplicaStats::repeatedBatches);
        made.counter("repeated_units", stats, ReplicaStats::repeatedUnits);
    }

    private void files(Meters made, Supplier<FileStats> stats) {
        made.gauge("files", stats, FileStats::files);
        made.gauge("file_rows", stats, FileStats::fileRows);
        made.gauge("file_bytes", stats, FileStats::fileBytes);
        made.gauge("deletes_in_force", stats, FileStats::deletesInForce);
        made.gauge("key_points", stats, FileStats::keyPoints);
        made.gauge("key_bytes", stats, FileStats::keyBytes);
        made.counter("flushes", stats, FileStats::flushes);
        made.counter("flushed_rows", stats, FileStats::flushedRows);
        made.counter("void_flushes", stats, FileStats::voidFlushes);
        made.counter("compactions", stats, FileStats::compactions);
        made.counter("void_compactions", stats, FileStats::voidCompactions);
        made.counter("covered_files", stats, FileStats::coveredFiles);
        made.counter("retention_deletes", stats, FileStats::retentionDeletes);
        made.counter("quarantines", stats, FileStats::quarantines);
        made.counter("void_quarantines", stats, FileStats::voidQuarantines);
    }

    private void history(Meters made, Supplier<HistoryStats> stats) {
        made.gauge("moved_segments", stats, HistoryStats::movedSegments);
        made.gauge("moved_segment_bytes", stats, HistoryStats::movedBytes);
        made.counter("segment_moves", stats, HistoryStats::moves);
        made.counter("void_segment_moves", stats, HistoryStats::voidMoves);
        made.counter("segment_move_failures", stats, HistoryStats::moveFailures);
    }

    private void series(Meters made, Source source) {
        made.gauge("series", source.replica(), ReplicaStats::series);
        made.gauge("definition_bytes", source.replica(), ReplicaStats::definitionBytes);
        made.gauge("table_series", source.tableSeries(), Integer::doubleValue);
        made.limit("table_series_limit", WriterConfig::seriesMax);
        made.gauge(
                "table_series_warning",
                source.tableSeries(),
                series -> SeriesWarning.isDue(series, limits.seriesMax()) ? 1 : 0);
    }

    /** The meters of one replica, while they are made. */
    private final class Meters {
        private final String partition;
        private final List<Meter.Id> ids = new ArrayList<>();

        Meters(int partition) {
            this.partition = Integer.toString(partition);
        }

        <T> void gauge(String name, Supplier<T> stats, ToDoubleFunction<T> value) {
            register(name, stats, now -> value.applyAsDouble(now.get()));
        }

        void limit(String name, ToDoubleFunction<WriterConfig> value) {
            register(name, limits, value);
        }

        private <T> void register(String name, T source, ToDoubleFunction<T> value) {
            ids.add(Gauge.builder("weir_partition_" + name, source, value)
                    .tag("partition", partition)
                    .strongReference(true)
                    .register(registry)
                    .getId());
        }

        <T> void counter(String name, Supplier<T> stats, ToDoubleFunction<T> value) {
            ids.add(FunctionCounter.builder("weir_partition_" + name, stats, now -> value.applyAsDouble(now.get()))
                    .tag("partition", partition)
                    .register(registry)
                    .getId());
        }
    }
}
