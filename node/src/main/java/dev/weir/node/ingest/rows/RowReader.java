package dev.weir.node.ingest.rows;

import org.jspecify.annotations.Nullable;

/** Reads the rows of one body, in order. Used by one thread; {@link #row} is reused from row to row. */
public interface RowReader {
    /** Moves to the next row; false at the end. */
    boolean next();

    /** Why this row is refused; null where {@link #row} holds it. */
    @Nullable
    RowFault fault();

    /** Why none of the body's rows may be stored, known once all are read; null where nothing is wrong with the body as a whole. */
    @Nullable
    RowFault bodyFault();

    Row row();

    /** The number by which an answer names this row: its line, from 1, or its index in an array, from 0. */
    int line();

    /** Where this row can be read again, by {@link #seek}. */
    int place();

    /** One past this row's last byte, as {@link #place} counts. */
    int stop();

    /** The measurement that this row names, faulty or not; null where it can't be told. */
    @Nullable
    String measurement();

    /** The next row will be the one that was read at this place before. */
    void seek(int place, int line);

    /** A message about a field of this row, with its place; for faults that only the schema shows. */
    String locate(int field, String message);

    /** A message about this row as a whole, with its place. */
    String locate(String message);

    /** Whether numbers came without a type: integers fit every numeric column, and fractions may widen one. */
    boolean loose();

    /** How many values that are no numbers were dropped from rows, by the user's wish. */
    int droppedFields();
}
