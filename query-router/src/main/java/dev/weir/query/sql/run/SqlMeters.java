package dev.weir.query.sql.run;

import dev.weir.partition.model.Refusal;
import dev.weir.query.sql.gate.SelectShapes;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;

/** The meters {@code weir_sql_*}. */
final class SqlMeters {
    private final MeterRegistry registry;
    private final Timer done;
    private final Counter rows;

    SqlMeters(MeterRegistry registry) {
        this.registry = registry;
        done = Timer.builder("weir.sql.statement.seconds")
                .description("statements that were answered, from their arrival to their last row")
                .register(registry);
        rows = Counter.builder("weir.sql.rows").description("rows answered").register(registry);
    }

    void watch(QueryRegistry queries, SeatQueue queue, SelectShapes shapes, SqlConfig config) {
        gauge("weir.sql.statements", "statements that wait or run", queries::size);
        gauge("weir.sql.waiting", "statements that wait for a seat", queue::waiting);
        gauge("weir.sql.shapes.bytes", "trees and texts of statements that came again", shapes::bytes);
        gauge("weir.sql.shapes.limit.bytes", "fixed, no key", () -> 2 * SelectShapes.BYTES_MAX);
        gauge("weir.sql.concurrent.max", "sql.concurrent-max", config::concurrentMax);
        gauge("weir.sql.memory.bytes.max", "sql.memory-bytes, of one statement", config::memoryBytes);
    }

    void answered(Duration time, long rowCount) {
        done.record(time);
        rows.increment((double) rowCount);
    }

    /** By code, so that each limit that refuses can be seen. */
    void refused(Refusal refusal) {
        Counter.builder("weir.sql.refused")
                .description("statements that were refused or failed, by code")
                .tag("code", refusal.code().wireName())
                .register(registry)
                .increment();
    }

    private interface Reading {
        Number now();
    }

    private void gauge(String name, String words, Reading reading) {
        Gauge.builder(name, reading, value -> value.now().doubleValue())
                .description(words)
                .strongReference(true)
                .register(registry);
    }
}
