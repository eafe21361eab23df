package dev.weir.partition.entry;

import dev.weir.partition.model.FieldType;
import java.util.Arrays;

/**
 * One field's values while a block is built: dense, in order of rows, with a mask of rows once one lacks the field. Numbers and bools are
 * kept as 64 bits, strings as their bytes with the end of each.
 */
final class ColumnBuffer {
    final int columnId;
    final FieldType type;
    private long[] values = new long[0];
    private byte[] text = new byte[0];
    private int textLength;
    private int count;
    private int lastRow = -1;
    private boolean sparse;
    private long[] present = new long[0];

    ColumnBuffer(int columnId, FieldType type) {
        this.columnId = columnId;
        this.type = type;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** A second value for the same row replaces the first. */
    void put(int row, long bits) {
        int slot = slot(row);
        values[slot] = bits;
    }

    void putText(int row, byte[] utf8, int from, int length) {
        int slot = slot(row);
        textLength = slot == 0 ? 0 : (int) values[slot - 1];
        if (text.length - textLength < length) {
            text = Arrays.copyOf(text, Math.max(textLength + length, Math.max(256, text.length * 2)));
        }
        System.arraycopy(utf8, from, text, textLength, length);
        textLength += length;
        values[slot] = textLength;
    }

    /** Takes back the value of the row, if it has one and is the last row. */
    void cancel(int row) {
        if (lastRow != row || count == 0) {
            return;
        }
        count--;
        lastRow = -2;
        if (sparse) {
            RowMask.clear(present, row);
        }
    }

    void reset() {
        count = 0;
        lastRow = -1;
        textLength = 0;
        sparse = false;
    }

    /** Writes the column's body: presence, then its values in their type's encoding. */
    void encode(ByteWriter out, int rows, Scratch scratch) {
        if (sparse || count < rows) {
            makeSparse(rows);
            out.u8(ColumnBody.SOME_PRESENT);
            RowMask.write(out, present, rows);
        } else {
            out.u8(ColumnBody.ALL_PRESENT);
        }
        switch (type) {
            case FLOAT64 -> DoubleCodec.encode(out, values, count, scratch);
            case INT64, UINT64 -> LongCodec.encode(out, values, count, scratch.deltas(count), false);
            case BOOL -> BoolCodec.encode(out, values, count);
            case STRING -> StringCodec.encode(out, text, values, count, scratch);
        }
    }

    private int slot(int row) {
        if (row == lastRow) {
            return count - 1;
        }
        if (sparse || count != row) {
            makeSparse(row + 1);
            RowMask.set(present, row);
        }
        if (count == values.length) {
            values = Arrays.copyOf(values, Math.max(16, count * 2));
        }
        lastRow = row;
        return count++;
    }

    /** Rows before {@link #count} had a value each as long as the column was dense. */
    private void makeSparse(int rows) {
        int words = RowMask.words(rows);
        if (present.length < words) {
            present = Arrays.copyOf(present, Math.max(words, present.length * 2));
        }
        if (!sparse) {
            RowMask.fill(present, count);
            sparse = true;
        }
    }
}
