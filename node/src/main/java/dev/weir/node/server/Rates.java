package dev.weir.node.server;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Rows per second of each partition, from counters sampled by a timer. Thread-safe. */
final class Rates {
    private static final double SMOOTHING = 0.5;

    private record Sample(long count, long atNanos, double perSecond) {}

    private final Map<Integer, Sample> samples = new ConcurrentHashMap<>();

    void sample(int partition, long count, long nowNanos) {
        samples.merge(partition, new Sample(count, nowNanos, 0), (last, now) -> {
            double seconds = (now.atNanos() - last.atNanos()) / 1e9;
            if (seconds <= 0 || now.count() < last.count()) {
                return now;
            }
            double fresh = (now.count() - last.count()) / seconds;
            double smoothed = SMOOTHING * fresh + (1 - SMOOTHING) * last.perSecond();
            return new Sample(now.count(), now.atNanos(), smoothed < 0.05 ? 0 : smoothed);
        });
    }

    double perSecond(int partition) {
        Sample sample = samples.get(partition);
        return sample == null ? 0 : sample.perSecond();
    }
}
