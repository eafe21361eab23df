package dev.weir.partition.engine;

import dev.weir.partition.engine.KeyManifest.KeyFile;
import dev.weir.partition.entry.ByteWriter;
import dev.weir.wal.segment.SegmentFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * Writes a key run: points by series, then time. Version 1; numbers as {@link ByteWriter} has them.
 *
 * <pre>
 * "WKEY" u8 version=1
 * blocks of at most {@link #POINTS} points: groups to the end, each: varint series (first: the id, then the difference), varint points,
 *   zigzag first time, then per further point zigzag (step - step before)
 * index: per block varint series of its first point (difference), zigzag its time, varint bytes
 * u64 points, u32 blocks, u64 where the index begins, u32 CRC-32C of the index
 * </pre>
 *
 * The manifest has the length and checksum of the whole. Used by one thread.
 */
final class KeyRunWriter implements AutoCloseable {
    static final byte[] HEAD = {'W', 'K', 'E', 'Y', 1};
    static final int TAIL_BYTES = 24;
    static final int POINTS = 512;

    private static final int WRITE_BYTES = 256 << 10;

    private final String name;
    private final SegmentFiles.OpenFile file;
    private final ByteWriter out = new ByteWriter(WRITE_BYTES + (8 << 10));
    private final ByteWriter index = new ByteWriter(1 << 10);
    private final ByteWriter block = new ByteWriter(4 << 10);
    private final CRC32C crc = new CRC32C();
    private final int[] series = new int[POINTS];
    private final long[] times = new long[POINTS];
    private int pending;
    private int indexedSeries;
    private int blocks;
    private long points;
    private long written;

    private KeyRunWriter(String name, SegmentFiles.OpenFile file) {
        this.name = name;
        this.file = file;
        out.raw(HEAD, 0, HEAD.length);
    }

    static KeyRunWriter create(SegmentFiles files, Path folder, String name) throws IOException {
        if (files.list(folder).contains(name)) {
            files.delete(folder.resolve(name));
        }
        return new KeyRunWriter(name, files.create(folder.resolve(name)));
    }

    /** Adds a point behind all others: a higher series, or the same and a later time. */
    void add(int seriesId, long time) throws IOException {
        series[pending] = seriesId;
        times[pending++] = time;
        if (pending == POINTS) {
            endBlock();
        }
    }

    long points() {
        return points + pending;
    }

    /** Makes the file durable. Its name becomes so with the folder. */
    KeyFile finish() throws IOException {
        if (pending > 0) {
            endBlock();
        }
        CRC32C indexCrc = new CRC32C();
        byte[] indexed = index.toArray();
        indexCrc.update(indexed);
        long indexFrom = written + out.size();
        out.raw(indexed, 0, indexed.length);
        out.u64(points);
        out.u32(blocks);
        out.u64(indexFrom);
        out.u32((int) indexCrc.getValue());
        flush();
        file.force();
        return new KeyFile(name, written, (int) crc.getValue());
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private void endBlock() throws IOException {
        block.reset();
        int before = 0;
        for (int from = 0; from < pending; ) {
            int to = from + 1;
            while (to < pending && series[to] == series[from]) {
                to++;
            }
            block.varint(series[from] - before);
            before = series[from];
            group(from, to);
            from = to;
        }
        index.varint(series[0] - indexedSeries);
        indexedSeries = series[0];
        index.zigzag(times[0]);
        index.varint(block.size());
        byte[] bytes = block.toArray();
        out.raw(bytes, 0, bytes.length);
        blocks++;
        points += pending;
        pending = 0;
        if (out.size() >= WRITE_BYTES) {
            flush();
        }
    }

    private void group(int from, int to) {
        block.varint(to - from);
        block.zigzag(times[from]);
        long step = 0;
        for (int i = from + 1; i < to; i++) {
            long next = times[i] - times[i - 1];
            block.zigzag(next - step);
            step = next;
        }
    }

    private void flush() throws IOException {
        byte[] bytes = out.toArray();
        crc.update(bytes);
        file.write(ByteBuffer.wrap(bytes), written);
        written += bytes.length;
        out.reset();
    }
}
