package dev.weir.wal;

/** Where an entry stands in a replicated log. Index 0 (term 0) is before the first entry. */
public record LogPosition(long term, long index) implements Comparable<LogPosition> {
    public static final LogPosition NONE = new LogPosition(0, 0);

    @Override
    public int compareTo(LogPosition other) {
        return Long.compare(index, other.index);
    }
}
