package dev.weir.partition.file;

import dev.weir.partition.model.FieldType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The values of one field in a row group under construction: those that are there, one after the other. */
final class FieldBuffer {
    private final FieldType type;
    private final TextValues texts = new TextValues();
    private long[] values = new long[64];
    private boolean[] present = new boolean[64];
    private int count;
    private int rows;

    FieldBuffer(FieldType type) {
        this.type = type;
    }

    FieldType type() {
        return type;
    }

    /** Bits of doubles, integers, bools as 0 or 1. */
    long[] values() {
        return values;
    }

    TextValues texts() {
        return texts;
    }

    int count() {
        return count;
    }

    Presence presence() {
        boolean @Nullable [] mask = count == rows ? null : present;
        return new Presence(rows, false, mask);
    }

    int textBytes() {
        return texts.byteCount();
    }

    void clear() {
        texts.clear();
        count = 0;
        rows = 0;
    }

    void append(FieldVector vector, int from, int to) {
        reserve(to - from);
        boolean[] there = vector.present();
        System.arraycopy(there, from, present, rows, to - from);
        rows += to - from;
        switch (type) {
            case FLOAT64 -> appendDoubles(vector.doubles(), there, from, to);
            case INT64, UINT64, BOOL -> appendLongs(vector.longs(), there, from, to);
            case STRING -> appendTexts(vector, there, from, to);
        }
    }

    private void appendDoubles(double[] doubles, boolean[] there, int from, int to) {
        for (int row = from; row < to; row++) {
            if (there[row]) {
                values[count++] = Double.doubleToRawLongBits(doubles[row]);
            }
        }
    }

    private void appendLongs(long[] longs, boolean[] there, int from, int to) {
        for (int row = from; row < to; row++) {
            if (there[row]) {
                values[count++] = longs[row];
            }
        }
    }

    private void appendTexts(FieldVector vector, boolean[] there, int from, int to) {
        for (int row = from; row < to; row++) {
            if (there[row]) {
                texts.add(vector.text(), vector.textFrom(row), vector.textLength(row));
                count++;
            }
        }
    }

    private void reserve(int more) {
        if (present.length - rows < more) {
            present = Arrays.copyOf(present, Math.max(2 * present.length, rows + more));
        }
        if (type != FieldType.STRING && values.length - count < more) {
            values = Arrays.copyOf(values, Math.max(2 * values.length, count + more));
        }
    }
}
