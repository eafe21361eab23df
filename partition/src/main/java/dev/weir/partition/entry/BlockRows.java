package dev.weir.partition.entry;

/**
 * What of a block's body is decoded when it is applied: the series and the time of each row.
 *
 * <pre>
 * refs        u8 form: 0 CYCLE (row mod series), 1 PACKED (width of series - 1)
 * timestamps  {@link LongCodec}
 * columns     {@link ColumnBody}
 * </pre>
 *
 * @param series of each row, an index into the block's dictionary
 * @param columnsFrom where the columns begin in the array that was read
 */
record BlockRows(int[] series, long[] timestamps, int columnsFrom) {
    private static final int CYCLE = 0;
    private static final int PACKED = 1;

    static void write(ByteWriter out, int[] series, long[] timestamps, int rows, int seriesCount, Scratch scratch) {
        if (cycles(series, rows, seriesCount)) {
            out.u8(CYCLE);
        } else {
            out.u8(PACKED);
            long[] longs = scratch.longs(rows);
            for (int row = 0; row < rows; row++) {
                longs[row] = series[row];
            }
            BitPacking.pack(out, longs, 0, rows, 0, BitPacking.width(seriesCount - 1L));
        }
        LongCodec.encode(out, timestamps, rows, scratch.deltas(rows), true);
    }

    /** Reads refs and timestamps and checks the framing of the columns, which end where the reader ends. */
    static BlockRows read(ByteReader in, int rows, int seriesCount) {
        int[] series = readSeries(in, rows, seriesCount);
        long[] timestamps = LongCodec.decode(in, rows, "timestamps");
        int columnsFrom = in.position();
        ColumnBody.check(in);
        return new BlockRows(series, timestamps, columnsFrom);
    }

    private static int[] readSeries(ByteReader in, int rows, int seriesCount) {
        int form = in.u8("series refs");
        if (form > PACKED) {
            throw new FormatException("series refs: form " + form + ", expected 0 or 1");
        }
        if (form == CYCLE) {
            int[] series = new int[rows];
            for (int row = 0, ref = 0; row < rows; row++) {
                series[row] = ref;
                ref = ref + 1 == seriesCount ? 0 : ref + 1;
            }
            return series;
        }
        int width = BitPacking.width(seriesCount - 1L);
        int at = in.skip(BitPacking.bytes(rows, width), "series refs");
        int[] series = new int[rows];
        BitPacking.unpackInts(in.array(), at, rows, width, series);
        for (int ref : series) {
            if (ref >= seriesCount) {
                throw new FormatException("series ref " + ref + ", expected less than " + seriesCount);
            }
        }
        return series;
    }

    private static boolean cycles(int[] series, int rows, int seriesCount) {
        for (int row = 0, ref = 0; row < rows; row++) {
            if (series[row] != ref) {
                return false;
            }
            ref = ref + 1 == seriesCount ? 0 : ref + 1;
        }
        return true;
    }
}
