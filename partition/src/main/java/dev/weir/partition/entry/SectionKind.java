package dev.weir.partition.entry;

/** Codes of sections. Part of the format: never reused. An entry with another code is refused, never skipped. */
final class SectionKind {
    static final int APPEND = 1;
    static final int DELETE = 2;
    static final int RANGE_DELETE = 3;
    static final int TRIM = 4;
    static final int TICK = 5;
    static final int EXPIRY = 6;
    static final int FENCE = 7;
    static final int LINEAGE = 8;
    static final int FLUSH = 9;
    static final int COMPACTION = 10;
    static final int MOVE = 11;
    static final int MOVES_BEGIN = 12;

    private SectionKind() {}
}
