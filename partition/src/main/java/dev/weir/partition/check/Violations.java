package dev.weir.partition.check;

import java.util.ArrayList;
import java.util.List;

/** Collects what a check found wrong: the first {@link #KEPT} in words, the rest by number. Not thread-safe. */
public final class Violations {
    /** Violations kept as text. */
    public static final int KEPT = 20;

    private final List<String> first = new ArrayList<>();
    private long count;

    void add(String violation) {
        if (first.size() < KEPT) {
            first.add(violation);
        }
        count++;
    }

    public boolean isEmpty() {
        return count == 0;
    }

    public long count() {
        return count;
    }

    public List<String> first() {
        return List.copyOf(first);
    }

    @Override
    public String toString() {
        return count == 0 ? "none" : count + " violations, the first: " + String.join("; ", first);
    }
}
