package dev.weir.node.server;

import dev.weir.wal.LogGroupId;
import dev.weir.wal.ratis.LogMeter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** Reports the logs' figures as {@code weir_raft_*}, labelled with the partition (or {@code catalog}). */
final class LogMetrics implements LogMeter {
    private final MeterRegistry registry;
    private final Function<LogGroupId, String> label;
    private final Map<LogGroupId, Map<String, Meter.Id>> gauges = new ConcurrentHashMap<>();

    LogMetrics(MeterRegistry registry, Function<LogGroupId, String> label) {
        this.registry = registry;
        this.label = label;
    }

    @Override
    public void gauge(String name, LogGroupId group, LongSupplier value) {
        Map<String, Meter.Id> ofGroup = gauges.computeIfAbsent(group, id -> new ConcurrentHashMap<>());
        Meter.Id earlier = ofGroup.remove(name);
        if (earlier != null) {
            registry.remove(earlier);
        }
        Gauge gauge = Gauge.builder("weir_raft_" + name, value, LongSupplier::getAsLong)
                .tag("partition", label.apply(group))
                .strongReference(true)
                .register(registry);
        ofGroup.put(name, gauge.getId());
    }

    @Override
    public void forget(LogGroupId group) {
        Map<String, Meter.Id> ofGroup = gauges.remove(group);
        if (ofGroup != null) {
            ofGroup.values().forEach(registry::remove);
        }
    }

    @Override
    public void count(String name, long by) {
        registry.counter("weir_raft_" + name).increment((double) by);
    }

    @Override
    public void time(String name, long nanos) {
        registry.timer("weir_raft_" + name).record(nanos, TimeUnit.NANOSECONDS);
    }
}
