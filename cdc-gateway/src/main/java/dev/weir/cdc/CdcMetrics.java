package dev.weir.cdc;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToDoubleFunction;

/** The meters {@code weir_cdc_*}. */
final class CdcMetrics {
    private final MeterRegistry registry;
    private final Counter events;
    private final Counter bytes;
    private final Counter readBack;
    private final Counter lost;
    private final Counter revoked;
    private final Counter refused;
    private final Counter historyRows;
    private final Counter historyTrouble;
    private final Counter dropped;

    CdcMetrics(MeterRegistry registry) {
        this.registry = registry;
        events = counter("weir.cdc.events", "change events sent to subscribers");
        bytes = counter("weir.cdc.sent.bytes", "bytes of change events sent to subscribers");
        readBack = counter(
                "weir.cdc.read.back.events", "server-sent events read back from the log instead of the shared run");
        revoked = counter("weir.cdc.revoked", "streams ended since their token was revoked");
        lost = counter("weir.cdc.lost", "streams closed since the log no longer reached back to them");
        refused = counter("weir.cdc.refused", "requests for a stream that were refused");
        historyRows = counter("weir.cdc.history.rows", "rows of snapshots and backfills sent to subscribers");
        historyTrouble = counter(
                "weir.cdc.history.retries", "times that a snapshot or backfill could not be read, and was tried again");
        dropped = counter(
                "weir.cdc.dropped", "events that streams in at-most-once mode left out, reported to them as gaps");
    }

    private Counter counter(String name, String words) {
        return Counter.builder(name).description(words).register(registry);
    }

    <T> void gauge(String name, String words, T object, ToDoubleFunction<T> value) {
        Gauge.builder(name, object, value).description(words).register(registry);
    }

    /** What only grows, and the object counts itself. */
    <T> void total(String name, String unit, String words, T object, ToDoubleFunction<T> value) {
        FunctionCounter.builder(name, object, value)
                .baseUnit(unit)
                .description(words)
                .register(registry);
    }

    Stream stream() {
        return new Stream();
    }

    void revoked() {
        revoked.increment();
    }

    void lost() {
        lost.increment();
    }

    /** Rows of a snapshot were sent. */
    void history(int rows, int length) {
        historyRows.increment(rows);
        bytes.increment(length);
    }

    void historyTrouble() {
        historyTrouble.increment();
    }

    void dropped(long count) {
        dropped.increment((double) count);
    }

    void refused() {
        refused.increment();
    }

    /** What one stream counts. */
    final class Stream {
        void sent(int frames, int length) {
            events.increment(frames);
            bytes.increment(length);
        }

        void readBack(int frames) {
            readBack.increment(frames);
        }
    }
}
