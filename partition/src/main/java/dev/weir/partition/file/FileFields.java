package dev.weir.partition.file;

import dev.weir.partition.model.FieldType;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.io.api.Binary;

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

    void read(ColumnReader reader, RowBatch batch, int from, int to) {
        FieldVector vector = batch.field(index);
        switch (inFile) {
            case FLOAT64 -> readDoubles(reader, vector, from, to);
            case INT64, UINT64 -> readLongs(reader, vector, from, to);
            case BOOL -> readBools(reader, vector, from, to);
            case STRING -> readTexts(reader, vector, from, to);
        }
    }

    private static void readDoubles(ColumnReader reader, FieldVector vector, int from, int to) {
        double[] values = vector.doubles();
        boolean[] present = vector.present();
        for (int row = from; row < to; row++) {
            if (reader.getCurrentDefinitionLevel() != 0) {
                values[row] = reader.getDouble();
                present[row] = true;
            }
            reader.consume();
        }
    }

    private void readLongs(ColumnReader reader, FieldVector vector, int from, int to) {
        for (int row = from; row < to; row++) {
            if (reader.getCurrentDefinitionLevel() != 0) {
                long value = reader.getLong();
                if (inFile == as) {
                    vector.setLong(row, value);
                } else {
                    vector.setDouble(row, inFile == FieldType.INT64 ? value : unsigned(value));
                }
            }
            reader.consume();
        }
    }

    private static void readBools(ColumnReader reader, FieldVector vector, int from, int to) {
        for (int row = from; row < to; row++) {
            if (reader.getCurrentDefinitionLevel() != 0) {
                vector.setBool(row, reader.getBoolean());
            }
            reader.consume();
        }
    }

    private static void readTexts(ColumnReader reader, FieldVector vector, int from, int to) {
        for (int row = from; row < to; row++) {
            if (reader.getCurrentDefinitionLevel() != 0) {
                Binary value = reader.getBinary();
                byte[] bytes = value.getBytesUnsafe();
                vector.setText(row, bytes, 0, bytes.length);
            }
            reader.consume();
        }
    }

    /** The nearest double; halving keeps the last bit by or-ing it in, so that ties are rounded right. */
    private static double unsigned(long value) {
        return value >= 0 ? value : (double) ((value >>> 1) | (value & 1)) * 2;
    }
}
