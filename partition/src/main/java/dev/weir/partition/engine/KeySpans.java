package dev.weir.partition.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Deletes that key runs do not reflect: of a series or of all of a table, a range of times, in the runs that were there. A point written again later
 * is in memory or in a later run. Not thread-safe.
 */
final class KeySpans {
    private final Map<Integer, List<Span>> byTarget = new HashMap<>();
    private final IntUnaryOperator tableOf;
    private int tables;

    /**
     * @param target a series' id, or for all of a table's {@code -1 - } the table's id
     * @param beforeRun ids of runs that it applies to are lower
     */
    record Span(int target, long from, long to, long beforeRun) {
        static Span ofTable(int tableId, long from, long to, long beforeRun) {
            return new Span(-1 - tableId, from, to, beforeRun);
        }

        boolean covers(long time, long run) {
            return run < beforeRun && time >= from && time <= to;
        }
    }

    /** @param tableOf id of a series' table */
    KeySpans(IntUnaryOperator tableOf) {
        this.tableOf = tableOf;
    }

    /** Earlier ones that it covers are forgotten, so that deletes again and again of what is old stay one. */
    void add(Span span) {
        List<Span> spans = byTarget.computeIfAbsent(span.target(), target -> {
            tables += target < 0 ? 1 : 0;
            return new ArrayList<>(1);
        });
        spans.removeIf(before ->
                before.beforeRun() <= span.beforeRun() && before.from() >= span.from() && before.to() <= span.to());
        spans.add(span);
    }

    boolean isEmpty() {
        return byTarget.isEmpty();
    }

    boolean covers(int series, long time, long run) {
        return covering(series, time, run) != null;
    }

    /** A delete that hits a series' point in a run. */
    @Nullable
    Span covering(int series, long time, long run) {
        Span found = coveringTarget(series, time, run);
        return found != null || tables == 0 ? found : coveringTarget(-1 - tableOf.applyAsInt(series), time, run);
    }

    /** Forgets what applies to no run from {@code oldestRun} on. */
    void forget(long oldestRun) {
        byTarget.entrySet().removeIf(each -> {
            each.getValue().removeIf(span -> span.beforeRun() <= oldestRun);
            boolean none = each.getValue().isEmpty();
            tables -= none && each.getKey() < 0 ? 1 : 0;
            return none;
        });
    }

    /** Forgets one, if it is there. */
    void remove(Span span) {
        List<Span> spans = byTarget.get(span.target());
        if (spans != null && spans.remove(span) && spans.isEmpty()) {
            byTarget.remove(span.target());
            tables -= span.target() < 0 ? 1 : 0;
        }
    }

    /** All, in an order of their own. */
    List<Span> all() {
        List<Span> all = new ArrayList<>();
        byTarget.values().forEach(all::addAll);
        all.sort(Comparator.comparingInt(Span::target)
                .thenComparingLong(Span::beforeRun)
                .thenComparingLong(Span::from)
                .thenComparingLong(Span::to));
        return all;
    }

    static KeySpans of(List<Span> spans, IntUnaryOperator tableOf) {
        KeySpans made = new KeySpans(tableOf);
        spans.forEach(made::add);
        return made;
    }

    private @Nullable Span coveringTarget(int target, long time, long run) {
        List<Span> spans = byTarget.get(target);
        if (spans != null) {
            for (Span span : spans) {
                if (span.covers(time, run)) {
                    return span;
                }
            }
        }
        return null;
    }
}
