package dev.weir.partition.entry;

import dev.weir.partition.model.FieldType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a block, framed so that they can be carried without decoding.
 *
 * <pre>
 * varint columns, then each, ascending by id:
 *   varint column id, u8 type, varint length, body: u8 presence (0 all rows, 1 some: a bit per row follows), values by type
 * </pre>
 */
final class ColumnBody {
    static final int ALL_PRESENT = 0;
    static final int SOME_PRESENT = 1;
    private static final int COLUMN_BYTES_MIN = 5;

    private ColumnBody() {}

    /** One column's place in the bytes. */
    record Slice(int columnId, FieldType type, byte[] bytes, int from, int end) {
        Values decode(int rows) {
            String what = "column " + columnId;
            ByteReader in = new ByteReader(bytes, from, end);
            int presence = in.u8(what);
            if (presence > SOME_PRESENT) {
                throw new FormatException(what + ": presence " + presence + ", expected 0 or 1");
            }
            long[] present = presence == ALL_PRESENT ? null : RowMask.read(in, rows, what);
            int count = present == null ? rows : RowMask.count(present, rows);
            if (count == 0) {
                throw new FormatException(what + ": no row has a value");
            }
            Values values = decode(in, rows, count, present, what);
            in.expectEnd(what);
            return values;
        }

        private Values decode(ByteReader in, int rows, int count, long @Nullable [] present, String what) {
            int[] index = present == null ? null : ranks(present, rows);
            return switch (type) {
                case FLOAT64 -> new Values(index, DoubleCodec.decode(in, count, what), null, null);
                case INT64, UINT64 -> new Values(index, null, LongCodec.decode(in, count, what), null);
                case BOOL -> new Values(index, null, BoolCodec.decode(in, count, what), null);
                case STRING -> new Values(index, null, null, StringCodec.decode(in, count, what));
            };
        }

        private static int[] ranks(long[] present, int rows) {
            int[] index = new int[rows];
            int rank = 0;
            for (int row = 0; row < rows; row++) {
                index[row] = RowMask.get(present, row) ? rank++ : -1;
            }
            return index;
        }
    }

    /**
     * Decoded values of one column; immutable.
     *
     * @param index value of each row, -1 where it has none; null when every row has one
     * @param longs of integers; of bools a mask of values
     */
    record Values(
            int @Nullable [] index,
            double @Nullable [] doubles,
            long @Nullable [] longs,
            @Nullable Strings strings) {
        int of(int row) {
            return index == null ? row : index[row];
        }
    }

    /** Reads the framing of all columns, up to the end of the bytes. */
    static List<Slice> slices(ByteReader in) {
        int columns = in.countOf(COLUMN_BYTES_MIN, "columns");
        List<Slice> slices = new ArrayList<>(columns);
        int before = -1;
        for (int i = 0; i < columns; i++) {
            int columnId = in.count(before + 1, BlockLimits.COLUMN_ID_MAX, "column id");
            FieldType type = type(in.u8("column type"));
            int length = in.length("column " + columnId);
            int from = in.skip(length, "column");
            slices.add(new Slice(columnId, type, in.array(), from, from + length));
            before = columnId;
        }
        in.expectEnd("columns");
        return slices;
    }

    /** Checks the framing without keeping it. */
    static void check(ByteReader in) {
        int columns = in.countOf(COLUMN_BYTES_MIN, "columns");
        int before = -1;
        for (int i = 0; i < columns; i++) {
            before = in.count(before + 1, BlockLimits.COLUMN_ID_MAX, "column id");
            type(in.u8("column type"));
            in.skip(in.length("column"), "column");
        }
        in.expectEnd("columns");
    }

    static FieldType type(int code) {
        try {
            return FieldType.ofCode(code);
        } catch (IllegalArgumentException e) {
            throw new FormatException("column type: " + e.getMessage());
        }
    }
}
