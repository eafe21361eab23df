package dev.weir.partition.file;

import java.io.IOException;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridEncoder;
import org.jspecify.annotations.Nullable;

/**
 * Which rows of a column chunk have a value.
 *
 * @param isRequired the file's schema says that all have: nothing is written
 * @param present by row; null: all have
 */
record Presence(int rows, boolean isRequired, boolean @Nullable [] present) {
    static Presence required(int rows) {
        return new Presence(rows, true, null);
    }

    /** Rows that have a value. */
    int count(int from, int to) {
        if (present == null) {
            return to - from;
        }
        int count = 0;
        for (int row = from; row < to; row++) {
            count += present[row] ? 1 : 0;
        }
        return count;
    }

    /** The row behind the one that has the {@code count}th value from {@code from} on. */
    int rowAfter(int from, int count) {
        if (present == null) {
            return from + count;
        }
        int row = from;
        for (int left = count; left > 0; row++) {
            left -= present[row] ? 1 : 0;
        }
        return row;
    }

    /** Writes the definition levels of some rows. */
    void write(PageBytes out, int from, int to) throws IOException {
        if (isRequired) {
            return;
        }
        int head = out.claim(4);
        if (present == null) {
            Varints.put(out, (to - from) << 1);
            out.putByte(1);
        } else {
            writeMixed(out, present, from, to);
        }
        out.putIntAt(head, out.size() - head - 4);
    }

    private static void writeMixed(PageBytes out, boolean[] present, int from, int to) throws IOException {
        try (var encoder = new RunLengthBitPackingHybridEncoder(1, 256, 1 << 20, new HeapByteBufferAllocator())) {
            for (int row = from; row < to; row++) {
                encoder.writeInt(present[row] ? 1 : 0);
            }
            out.put(encoder.toBytes());
        }
    }
}
