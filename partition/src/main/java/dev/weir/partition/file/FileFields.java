package dev.weir.partition.file;

import dev.weir.partition.model.FieldType;
import java.io.IOException;
import org.apache.parquet.column.values.ValuesReader;

/**
 * Copies the values of one field from a file to batches, cast where the file's type is an older one.
 *
 * @param index of the field in batches
 * @param name in the file
 * @param inFile the type that it has there
 * @param as the type that batches have
 */
record FileFields(int index, String name, FieldType inFile, FieldType as) {
    /** Types only widen, and widening has one form: whole numbers to float64. */
    static boolean canRead(FieldType inFile, FieldType as) {
        return inFile == as || (as == FieldType.FLOAT64 && (inFile == FieldType.INT64 || inFile == FieldType.UINT64));
    }

    void read(ColumnPages pages, RowBatch batch, int from, int to) throws IOException {
        FieldVector vector = batch.field(index);
        for (int row = from; row < to; ) {
            int end = row + pages.stretch(to - row);
            switch (inFile) {
                case FLOAT64 -> readDoubles(pages, vector, row, end);
                case INT64, UINT64 -> readLongs(pages, vector, row, end);
                case BOOL -> readBools(pages, vector, row, end);
                case STRING -> readTexts(pages, vector, row, end);
            }
            row = end;
        }
    }

    private static void readDoubles(ColumnPages pages, FieldVector vector, int from, int to) {
        ValuesReader reader = pages.values();
        double[] values = vector.doubles();
        boolean[] present = vector.present();
        for (int row = from; row < to; row++) {
            if (pages.next()) {
                values[row] = reader.readDouble();
                present[row] = true;
            }
        }
    }

    private void readLongs(ColumnPages pages, FieldVector vector, int from, int to) {
        ValuesReader reader = pages.values();
        for (int row = from; row < to; row++) {
            if (pages.next()) {
                long value = reader.readLong();
                if (inFile == as) {
                    vector.setLong(row, value);
                } else {
                    vector.setDouble(row, inFile == FieldType.INT64 ? value : unsigned(value));
                }
            }
        }
    }

    private static void readBools(ColumnPages pages, FieldVector vector, int from, int to) {
        ValuesReader reader = pages.values();
        for (int row = from; row < to; row++) {
            if (pages.next()) {
                vector.setBool(row, reader.readBoolean());
            }
        }
    }

    private static void readTexts(ColumnPages pages, FieldVector vector, int from, int to) {
        ValuesReader reader = pages.values();
        for (int row = from; row < to; row++) {
            if (pages.next()) {
                byte[] bytes = reader.readBytes().getBytesUnsafe();
                vector.setText(row, bytes, 0, bytes.length);
            }
        }
    }

    /** The nearest double; halving keeps the last bit by or-ing it in, so that ties are rounded right. */
    private static double unsigned(long value) {
        return value >= 0 ? value : (double) ((value >>> 1) | (value & 1)) * 2;
    }
}
