package dev.weir.partition.entry;

/** What one block, entry or record may hold at most; readers refuse more before they make room for it. */
public final class BlockLimits {
    /** Rows of one {@link RowBlock}. */
    public static final int ROWS_MAX = 1 << 16;

    /** Rows of all blocks of one entry, and events of one record. */
    public static final int ENTRY_ROWS_MAX = 1 << 19;

    /** Columns that a table's schema may have, and the ids that a block may name. */
    public static final int COLUMN_ID_MAX = 1 << 20;

    private BlockLimits() {}
}
