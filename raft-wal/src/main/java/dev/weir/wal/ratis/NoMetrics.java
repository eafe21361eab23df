package dev.weir.wal.ratis;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.ratis.metrics.LongCounter;
import org.apache.ratis.metrics.MetricRegistries;
import org.apache.ratis.metrics.MetricRegistryInfo;
import org.apache.ratis.metrics.RatisMetricRegistry;
import org.apache.ratis.metrics.Timekeeper;
import org.apache.ratis.util.TimeDuration;

/**
 * Keeps none of Ratis's own metrics: some hundred of them per group cost megabytes of heap and a timer's update several times per entry.
 * What we want to know, {@link LogMeter} tells. Found by Ratis through {@code META-INF/services}, hence public.
 */
public final class NoMetrics extends MetricRegistries {
    private static final Timekeeper.Context NO_TIME = () -> 0;
    private static final Timekeeper NO_TIMER = () -> NO_TIME;
    private static final LongCounter NO_COUNTER = new LongCounter() {
        @Override
        public void inc(long n) {}

        @Override
        public void dec(long n) {}

        @Override
        public long getCount() {
            return 0;
        }
    };

    @Override
    public void clear() {}

    @Override
    public RatisMetricRegistry create(MetricRegistryInfo info) {
        return new NoRegistry(info);
    }

    @Override
    public boolean remove(MetricRegistryInfo key) {
        return true;
    }

    @Override
    public Optional<RatisMetricRegistry> get(MetricRegistryInfo info) {
        return Optional.empty();
    }

    @Override
    public Set<MetricRegistryInfo> getMetricRegistryInfos() {
        return Set.of();
    }

    @Override
    public Collection<RatisMetricRegistry> getMetricRegistries() {
        return List.of();
    }

    @Override
    public void addReporterRegistration(
            Consumer<RatisMetricRegistry> reporterRegistration, Consumer<RatisMetricRegistry> stopReporter) {}

    @Override
    public void enableJmxReporter() {}

    @Override
    public void enableConsoleReporter(TimeDuration consoleReportRate) {}

    private record NoRegistry(MetricRegistryInfo info) implements RatisMetricRegistry {
        @Override
        public Timekeeper timer(String name) {
            return NO_TIMER;
        }

        @Override
        public LongCounter counter(String name) {
            return NO_COUNTER;
        }

        @Override
        public boolean remove(String name) {
            return true;
        }

        @Override
        public <T> void gauge(String name, Supplier<Supplier<T>> gaugeSupplier) {}

        @Override
        public MetricRegistryInfo getMetricRegistryInfo() {
            return info;
        }
    }
}
