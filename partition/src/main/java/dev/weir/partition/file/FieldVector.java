package dev.weir.partition.file;

import dev.weir.partition.model.FieldType;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The values of one field in a {@link RowBatch}, by row. Which getter and setter may be used follows from the type; doubles keep their bits
 * (NaN with its payload, -0.0). Setting again replaces.
 */
public final class FieldVector {
    private static final int[] NO_INTS = {};
    private static final long[] NO_LONGS = {};
    private static final double[] NO_DOUBLES = {};

    private final FieldType type;
    private final boolean[] present;
    private final long[] longs;
    private final double[] doubles;
    private final int[] textFrom;
    private final int[] textLength;
    private byte[] text;
    private int textEnd;

    FieldVector(FieldType type, int capacity) {
        this.type = type;
        this.present = new boolean[capacity];
        this.longs = switch (type) {
            case INT64, UINT64, BOOL -> new long[capacity];
            case FLOAT64, STRING -> NO_LONGS;
        };
        this.doubles = type == FieldType.FLOAT64 ? new double[capacity] : NO_DOUBLES;
        boolean isText = type == FieldType.STRING;
        this.textFrom = isText ? new int[capacity] : NO_INTS;
        this.textLength = isText ? new int[capacity] : NO_INTS;
        this.text = new byte[isText ? 1024 : 0];
    }

    public FieldType type() {
        return type;
    }

    public boolean isNull(int row) {
        return !present[row];
    }

    /** INT64; the bits of UINT64; BOOL as 0 or 1. */
    public long getLong(int row) {
        return longs[row];
    }

    public double getDouble(int row) {
        return doubles[row];
    }

    /** The array in which the UTF-8 of strings lies. */
    public byte[] text() {
        return text;
    }

    public int textFrom(int row) {
        return textFrom[row];
    }

    public int textLength(int row) {
        return textLength[row];
    }

    public void setLong(int row, long value) {
        present[row] = true;
        longs[row] = value;
    }

    public void setBool(int row, boolean value) {
        setLong(row, value ? 1 : 0);
    }

    public void setDouble(int row, double value) {
        present[row] = true;
        doubles[row] = value;
    }

    /** @param utf8 copied from {@code from} on */
    public void setText(int row, byte[] utf8, int from, int length) {
        if (text.length - textEnd < length) {
            text = Arrays.copyOf(text, Math.max(2 * text.length, textEnd + length));
        }
        System.arraycopy(utf8, from, text, textEnd, length);
        present[row] = true;
        textFrom[row] = textEnd;
        textLength[row] = length;
        textEnd += length;
    }

    public void setText(int row, String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        setText(row, utf8, 0, utf8.length);
    }

    /** Takes values of another vector of the same type over, those that are there; nulls leave what stands here. */
    void copy(FieldVector from, int fromRow, int row, int count) {
        switch (type) {
            case FLOAT64 -> copyDoubles(from, fromRow, row, count);
            case INT64, UINT64, BOOL -> copyLongs(from, fromRow, row, count);
            case STRING -> copyTexts(from, fromRow, row, count);
        }
    }

    void clear(int rows) {
        Arrays.fill(present, 0, rows, false);
        textEnd = 0;
    }

    int textBytes() {
        return textEnd;
    }

    boolean[] present() {
        return present;
    }

    long[] longs() {
        return longs;
    }

    double[] doubles() {
        return doubles;
    }

    private void copyDoubles(FieldVector from, int fromRow, int row, int count) {
        for (int i = 0; i < count; i++) {
            if (from.present[fromRow + i]) {
                setDouble(row + i, from.doubles[fromRow + i]);
            }
        }
    }

    private void copyLongs(FieldVector from, int fromRow, int row, int count) {
        for (int i = 0; i < count; i++) {
            if (from.present[fromRow + i]) {
                setLong(row + i, from.longs[fromRow + i]);
            }
        }
    }

    private void copyTexts(FieldVector from, int fromRow, int row, int count) {
        for (int i = 0; i < count; i++) {
            if (from.present[fromRow + i]) {
                setText(row + i, from.text, from.textFrom[fromRow + i], from.textLength[fromRow + i]);
            }
        }
    }
}
