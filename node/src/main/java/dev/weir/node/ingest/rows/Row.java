package dev.weir.node.ingest.rows;

import dev.weir.partition.model.FieldType;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One row as it was read, before it meets a schema. Reused by its reader: valid until the next row is read. One array entry a field, so that
 * reading allocates nothing.
 */
public final class Row {
    /** The type code of a NaN or infinity, which no column takes. */
    public static final byte NOT_A_NUMBER = 0;

    static final byte TEXT = FieldType.STRING.code();

    private static final byte[] NO_TEXT = {};

    @Nullable
    SeriesHandle series;

    boolean timed;
    long timestampNanos;
    int count;

    @Nullable
    Name[] names = new Name[16];
    /** Codes of {@link dev.weir.partition.model.FieldType}, or {@link #NOT_A_NUMBER}. */
    byte[] types = new byte[16];
    /** The raw bits of a float64, the value of an int64 or uint64, 1 or 0 of a bool. */
    long[] bits = new long[16];

    byte[][] texts = new byte[16][];
    int[] textFrom = new int[16];
    int[] textLength = new int[16];

    Row() {
        Arrays.fill(texts, NO_TEXT);
    }

    public SeriesHandle series() {
        return Objects.requireNonNull(series);
    }

    /** Whether the row brought a time of its own. */
    public boolean timed() {
        return timed;
    }

    public long timestampNanos() {
        return timestampNanos;
    }

    public int fieldCount() {
        return count;
    }

    public Name name(int field) {
        return Objects.requireNonNull(names[field]);
    }

    /** Whether these are the names of the row's fields, as objects. */
    @SuppressWarnings("ReferenceEquality") // equal names are one object; another one only costs a look-up
    public boolean hasNames(@Nullable Name[] others, int otherCount) {
        if (count != otherCount) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            if (names[i] != others[i]) {
                return false;
            }
        }
        return true;
    }

    public byte type(int field) {
        return types[field];
    }

    public long bits(int field) {
        return bits[field];
    }

    public byte[] text(int field) {
        return texts[field];
    }

    public int textFrom(int field) {
        return textFrom[field];
    }

    public int textLength(int field) {
        return textLength[field];
    }

    /** Makes room for one more field and returns its place. */
    int add() {
        if (count == types.length) {
            grow();
        }
        return count++;
    }

    void drop(int field) {
        int rest = --count - field;
        System.arraycopy(names, field + 1, names, field, rest);
        System.arraycopy(types, field + 1, types, field, rest);
        System.arraycopy(bits, field + 1, bits, field, rest);
        System.arraycopy(texts, field + 1, texts, field, rest);
        System.arraycopy(textFrom, field + 1, textFrom, field, rest);
        System.arraycopy(textLength, field + 1, textLength, field, rest);
    }

    private void grow() {
        int size = count * 2;
        names = Arrays.copyOf(names, size);
        types = Arrays.copyOf(types, size);
        bits = Arrays.copyOf(bits, size);
        texts = Arrays.copyOf(texts, size);
        Arrays.fill(texts, count, size, NO_TEXT);
        textFrom = Arrays.copyOf(textFrom, size);
        textLength = Arrays.copyOf(textLength, size);
    }
}
