package dev.weir.ops.bench;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Times in microseconds with three digits, up to ten minutes. Each thread records into its own; they are added up at the end. */
final class Latencies {
    private static final long MAX_MICROS = 600_000_000L;

    private final Histogram histogram = new Histogram(MAX_MICROS, 3);

    void record(long nanos) {
        histogram.recordValue(Math.clamp(nanos / 1000, 0, MAX_MICROS));
    }

    void add(Latencies other) {
        histogram.add(other.histogram);
    }

    long count() {
        return histogram.getTotalCount();
    }

    double millis(double percentile) {
        return histogram.getValueAtPercentile(percentile) / 1000.0;
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("count", count());
        json.put("p50_ms", millis(50));
        json.put("p90_ms", millis(90));
        json.put("p99_ms", millis(99));
        json.put("max_ms", millis(100));
        return json;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "p50 %.2f ms, p90 %.2f ms, p99 %.2f ms, max %.2f ms",
                millis(50),
                millis(90),
                millis(99),
                millis(100));
    }
}
