package dev.weir.wal.ratis;

import dev.weir.wal.LogGroupId;
import java.util.function.LongSupplier;

/**
 * Where a log host reports its figures. Names are {@code <noun>_<unit>}, without the prefix of the product.
 *
 * <p>Called from any thread; must not block. Gauges are read at any time until {@link #forget}.
 */
public interface LogMeter {
    /** Reports to nobody. */
    LogMeter NONE = new LogMeter() {
        @Override
        public void gauge(String name, LogGroupId group, LongSupplier value) {}

        @Override
        public void forget(LogGroupId group) {}

        @Override
        public void count(String name, long by) {}

        @Override
        public void time(String name, long nanos) {}
    };

    /** Registers a gauge of one group; registered again it replaces the earlier one. */
    void gauge(String name, LogGroupId group, LongSupplier value);

    /** The group was closed: its gauges may no longer be read. */
    void forget(LogGroupId group);

    void count(String name, long by);

    void time(String name, long nanos);
}
