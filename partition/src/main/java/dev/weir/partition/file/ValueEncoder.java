package dev.weir.partition.file;

import java.io.IOException;
import java.util.Arrays;
import org.apache.parquet.bytes.BytesUtils;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.values.delta.DeltaBinaryPackingValuesWriterForLong;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridEncoder;

/** One way to write the values of a column chunk; values are numbered from 0, nulls left out. */
sealed interface ValueEncoder {
    Encoding encoding();

    /** Appends values {@code from} to {@code to} - 1 as the body of a page. */
    void append(PageBytes out, int from, int to) throws IOException;

    /** Where a page that begins at {@code from} should end, at most at {@code to}. */
    default int pageEnd(int from, int to) {
        return to;
    }

    /** Eight bytes each. */
    record PlainLongs(long[] values) implements ValueEncoder {
        @Override
        public Encoding encoding() {
            return Encoding.PLAIN;
        }

        @Override
        public void append(PageBytes out, int from, int to) {
            out.putLongs(values, from, to);
        }
    }

    /** The low four bytes of each. */
    record PlainInts(long[] values) implements ValueEncoder {
        @Override
        public Encoding encoding() {
            return Encoding.PLAIN;
        }

        @Override
        public void append(PageBytes out, int from, int to) {
            out.putInts(values, from, to);
        }
    }

    /** A bit each. */
    record PlainBools(long[] values) implements ValueEncoder {
        @Override
        public Encoding encoding() {
            return Encoding.PLAIN;
        }

        @Override
        public void append(PageBytes out, int from, int to) {
            int bytes = (to - from + 7) / 8;
            int at = out.claim(bytes);
            Arrays.fill(out.array(), at, at + bytes, (byte) 0);
            for (int i = from; i < to; i++) {
                out.array()[at + (i - from) / 8] |= (byte) (values[i] << ((i - from) & 7));
            }
        }
    }

    /** Differences, packed in blocks. */
    record DeltaLongs(long[] values) implements ValueEncoder {
        @Override
        public Encoding encoding() {
            return Encoding.DELTA_BINARY_PACKED;
        }

        @Override
        public void append(PageBytes out, int from, int to) throws IOException {
            var writer = new DeltaBinaryPackingValuesWriterForLong(1024, 1 << 20, new HeapByteBufferAllocator());
            for (int i = from; i < to; i++) {
                writer.writeLong(values[i]);
            }
            out.put(writer.getBytes());
            writer.close();
        }
    }

    /** All lowest bytes, then all next ones, and so on. */
    record SplitLongs(long[] values) implements ValueEncoder {
        @Override
        public Encoding encoding() {
            return Encoding.BYTE_STREAM_SPLIT;
        }

        @Override
        public void append(PageBytes out, int from, int to) {
            for (int shift = 0; shift < 64; shift += 8) {
                int at = out.claim(to - from);
                byte[] bytes = out.array();
                for (int i = from; i < to; i++) {
                    bytes[at + i - from] = (byte) (values[i] >>> shift);
                }
            }
        }
    }

    /** A length of four bytes and the UTF-8 each. */
    record PlainTexts(TextValues values) implements ValueEncoder {
        private static final int PAGE_BYTES = 1 << 20;

        @Override
        public Encoding encoding() {
            return Encoding.PLAIN;
        }

        @Override
        public void append(PageBytes out, int from, int to) {
            for (int i = from; i < to; i++) {
                out.putInt(values.length(i));
                out.put(values.bytes(), values.from(i), values.length(i));
            }
        }

        @Override
        public int pageEnd(int from, int to) {
            int bytes = 0;
            int end = from;
            while (end < to && bytes < PAGE_BYTES) {
                bytes += 4 + values.length(end++);
            }
            return end;
        }
    }

    /**
     * Places in a dictionary, packed or in runs.
     *
     * @param entries of the dictionary
     */
    record Places(int[] places, int entries) implements ValueEncoder {
        @Override
        public Encoding encoding() {
            return Encoding.RLE_DICTIONARY;
        }

        @Override
        public void append(PageBytes out, int from, int to) throws IOException {
            int width = BytesUtils.getWidthFromMaxInt(entries - 1);
            out.putByte(width);
            try (var encoder =
                    new RunLengthBitPackingHybridEncoder(width, 1024, 1 << 20, new HeapByteBufferAllocator())) {
                for (int i = from; i < to; i++) {
                    encoder.writeInt(places[i]);
                }
                out.put(encoder.toBytes());
            }
        }
    }
}
