package dev.weir.node.internal;

import dev.weir.partition.feed.FieldColumn;
import dev.weir.partition.model.FieldType;
import java.util.BitSet;

/** A field's values as another node sent them: numbers and flags as bits, or texts. */
record DecodedColumn(int columnId, String name, FieldType type, BitSet rows, long[] bits, String[] texts)
        implements FieldColumn {
    static DecodedColumn read(WireReader in, int count) {
        int columnId = in.readInt();
        String name = in.readText();
        FieldType type = FieldType.ofCode(in.readByte());
        BitSet rows = BitSet.valueOf(in.readBytes());
        boolean text = type == FieldType.STRING;
        long[] bits = new long[text ? 0 : count];
        String[] texts = new String[text ? count : 0];
        for (int row = rows.nextSetBit(0); row >= 0; row = rows.nextSetBit(row + 1)) {
            if (row >= count) {
                throw new WireFormatException("column " + name + " has row " + row + " of " + count);
            }
            if (text) {
                texts[row] = in.readText();
            } else {
                bits[row] = in.readLong();
            }
        }
        return new DecodedColumn(columnId, name, type, rows, bits, texts);
    }

    static void write(WireWriter out, FieldColumn column, int count) {
        out.putInt(column.columnId())
                .putText(column.name())
                .putByte(column.type().code());
        BitSet rows = new BitSet(count);
        for (int row = 0; row < count; row++) {
            rows.set(row, column.present(row));
        }
        out.putBytes(rows.toByteArray());
        for (int row = rows.nextSetBit(0); row >= 0; row = rows.nextSetBit(row + 1)) {
            switch (column.type()) {
                case FLOAT64 -> out.putLong(Double.doubleToRawLongBits(column.doubleAt(row)));
                case INT64, UINT64 -> out.putLong(column.longAt(row));
                case BOOL -> out.putLong(column.boolAt(row) ? 1 : 0);
                case STRING -> out.putText(column.stringAt(row));
            }
        }
    }

    @Override
    public boolean present(int row) {
        return rows.get(row);
    }

    @Override
    public double doubleAt(int row) {
        return Double.longBitsToDouble(bits[row]);
    }

    @Override
    public long longAt(int row) {
        return bits[row];
    }

    @Override
    public boolean boolAt(int row) {
        return bits[row] != 0;
    }

    @Override
    public String stringAt(int row) {
        return texts[row];
    }
}
