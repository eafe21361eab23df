package dev.weir.node.ingest.write;

/**
 * Cuts a body with an {@code Idempotency-Key} into the units by which repeats are told: by rows and bytes of the body alone, so that every node cuts alike
 * whatever the schema and the partition map are. Part of the promise: never change the limits.
 */
final class Chunks {
    static final int ROWS = 5_000;
    static final int BYTES = 512 << 10;

    private final IntList firstRows = new IntList(8);
    private int firstRow;
    private int firstPlace;

    /** The chunk of the row with this ordinal, rows coming in order; refused ones count too. */
    int next(int ordinal, int place) {
        if (ordinal == 0) {
            firstPlace = place;
        } else if (ordinal - firstRow >= ROWS || place - firstPlace >= BYTES) {
            firstRow = ordinal;
            firstPlace = place;
            firstRows.add(ordinal);
        }
        return firstRows.size();
    }

    /** The chunk of a row that came before. */
    int of(int ordinal) {
        int found = firstRows.search(ordinal);
        return found >= 0 ? found + 1 : -found - 1;
    }
}
