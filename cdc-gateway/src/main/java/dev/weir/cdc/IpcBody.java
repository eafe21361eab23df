package dev.weir.cdc;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.compression.ZstdCompressionCodec;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/**
 * The body of a record batch as it goes over the wire, without its message's head, which each reader gets its own of since it holds the cursor. Lies on
 * the heap, immutable.
 *
 * @param nullCounts of each column
 * @param regions offset and length of each buffer; length 0 where a column has no nulls and hence no bitmap
 * @param isZstd each buffer is compressed
 */
record IpcBody(int rows, int[] nullCounts, long[] regions, boolean isZstd, byte[] bytes) {
    /** Quick, and close to what higher levels reach on such columns. */
    private static final int ZSTD_LEVEL = 1;

    private static final int ALIGNMENT = 8;

    /** @param columns flat ones, of as many values as there are rows */
    static IpcBody of(List<FieldVector> columns, int rows, boolean zstd, BufferAllocator allocator) {
        int[] nullCounts = new int[columns.size()];
        List<ArrowBuf> buffers = new ArrayList<>();
        for (int i = 0; i < nullCounts.length; i++) {
            List<ArrowBuf> parts = columns.get(i).getFieldBuffers();
            nullCounts[i] = columns.get(i).getNullCount();
            for (int part = 0; part < parts.size(); part++) {
                buffers.add(part == 0 && nullCounts[i] == 0 ? allocator.getEmpty() : parts.get(part));
            }
        }
        if (!zstd) {
            return gather(rows, nullCounts, buffers, false);
        }
        List<ArrowBuf> compressed = new ArrayList<>();
        try {
            ZstdCompressionCodec codec = new ZstdCompressionCodec(ZSTD_LEVEL);
            for (ArrowBuf buffer : buffers) {
                compressed.add(compress(codec, allocator, buffer));
            }
            return gather(rows, nullCounts, compressed, true);
        } finally {
            compressed.forEach(ArrowBuf::close);
        }
    }

    /** The columns keep their buffer; what is given has a reference of its own. */
    private static ArrowBuf compress(ZstdCompressionCodec codec, BufferAllocator allocator, ArrowBuf buffer) {
        // The codec gives one reference back, but only where it comes to its end.
        buffer.getReferenceManager().retain();
        boolean done = false;
        try {
            ArrowBuf compressed = buffer.writerIndex() == 0 ? buffer : codec.compress(allocator, buffer);
            done = true;
            return compressed;
        } finally {
            if (!done) {
                buffer.close();
            }
        }
    }

    private static IpcBody gather(int rows, int[] nullCounts, List<ArrowBuf> buffers, boolean zstd) {
        long length = buffers.stream()
                .mapToLong(buffer -> padded(buffer.writerIndex()))
                .sum();
        byte[] bytes = new byte[Math.toIntExact(length)];
        long[] regions = new long[2 * buffers.size()];
        int at = 0;
        for (int i = 0; i < buffers.size(); i++) {
            ArrowBuf buffer = buffers.get(i);
            int size = (int) buffer.writerIndex();
            buffer.getBytes(0, bytes, at, size);
            regions[2 * i] = at;
            regions[2 * i + 1] = size;
            at += (int) padded(size);
        }
        return new IpcBody(rows, nullCounts, regions, zstd, bytes);
    }

    long weight() {
        return bytes.length + 8L * regions.length + 4L * nullCounts.length + 96;
    }

    private static long padded(long length) {
        return (length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
}
