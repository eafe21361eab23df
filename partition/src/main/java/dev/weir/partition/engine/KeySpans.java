package dev.weir.partition.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Deletes that key runs do not reflect: of a series, a range of times, in the runs that were there. A point written again later is in memory or in
 * a later run. Not thread-safe.
 */
final class KeySpans {
    private final Map<Integer, List<Span>> bySeries = new HashMap<>();

    /** @param beforeRun ids of runs that it applies to are lower */
    record Span(int series, long from, long to, long beforeRun) {
        boolean covers(long time, long run) {
            return run < beforeRun && time >= from && time <= to;
        }
    }

    /** Earlier ones that it covers are forgotten, so that deletes again and again of what is old stay one. */
    void add(Span span) {
        List<Span> spans = bySeries.computeIfAbsent(span.series(), series -> new ArrayList<>(1));
        spans.removeIf(before ->
                before.beforeRun() <= span.beforeRun() && before.from() >= span.from() && before.to() <= span.to());
        spans.add(span);
    }

    List<Span> of(int series) {
        return bySeries.getOrDefault(series, List.of());
    }

    boolean covers(int series, long time, long run) {
        for (Span span : of(series)) {
            if (span.covers(time, run)) {
                return true;
            }
        }
        return false;
    }

    /** Forgets what applies to no run from {@code oldestRun} on. */
    void forget(long oldestRun) {
        bySeries.values().removeIf(spans -> {
            spans.removeIf(span -> span.beforeRun() <= oldestRun);
            return spans.isEmpty();
        });
    }

    /** All, in an order of their own. */
    List<Span> all() {
        List<Span> all = new ArrayList<>();
        bySeries.values().forEach(all::addAll);
        all.sort(Comparator.comparingInt(Span::series)
                .thenComparingLong(Span::beforeRun)
                .thenComparingLong(Span::from)
                .thenComparingLong(Span::to));
        return all;
    }

    static KeySpans of(List<Span> spans) {
        KeySpans made = new KeySpans();
        spans.forEach(made::add);
        return made;
    }
}
