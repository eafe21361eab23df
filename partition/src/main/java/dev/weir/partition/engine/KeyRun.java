package dev.weir.partition.engine;

import dev.weir.partition.entry.ByteReader;
import dev.weir.wal.segment.SegmentFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/**
 * A file of points that {@link KeyRunWriter} wrote; its index is in memory, about 24 bytes for 512 points. Any thread.
 */
final class KeyRun implements AutoCloseable {
    private final KeyManifest.Run run;
    private final SegmentFiles.OpenFile file;
    private final int[] firstSeries;
    private final long[] firstTimes;
    private final long[] offsets;
    /** The block of the last look-up: late rows come in runs. */
    private volatile Cached cached = new Cached(-1, new Block(new int[0], new long[0], 0));

    private record Cached(int at, Block block) {}

    /** Points of a block, by series, then time. */
    record Block(int[] series, long[] times, int count) {
        /** Where the point is, or would be: {@code -place - 1}. */
        int find(int id, long time) {
            int low = 0;
            int high = count - 1;
            while (low <= high) {
                int middle = (low + high) >>> 1;
                int order = compare(series[middle], times[middle], id, time);
                if (order == 0) {
                    return middle;
                }
                if (order < 0) {
                    low = middle + 1;
                } else {
                    high = middle - 1;
                }
            }
            return -low - 1;
        }
    }

    private KeyRun(
            KeyManifest.Run run, SegmentFiles.OpenFile file, int[] firstSeries, long[] firstTimes, long[] offsets) {
        this.run = run;
        this.file = file;
        this.firstSeries = firstSeries;
        this.firstTimes = firstTimes;
        this.offsets = offsets;
    }

    /** @throws IOException the file is not what the manifest says, or its index is damaged */
    static KeyRun open(SegmentFiles files, Path folder, KeyManifest.Run run) throws IOException {
        SegmentFiles.OpenFile file = files.open(folder.resolve(run.file().name()));
        try {
            return read(run, file);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw new IOException("key run " + run.file().name() + ": " + e.getMessage(), e);
        }
    }

    KeyManifest.Run run() {
        return run;
    }

    int blocks() {
        return firstSeries.length;
    }

    /** Blocks whose first point was deleted. */
    int blocksDeleted(KeySpans deletes) {
        int deleted = 0;
        for (int i = 0; i < firstSeries.length; i++) {
            deleted += deletes.covers(firstSeries[i], firstTimes[i], run.last()) ? 1 : 0;
        }
        return deleted;
    }

    boolean contains(int series, long time) throws IOException {
        int block = blockOf(series, time);
        return block >= 0 && cached(block).find(series, time) >= 0;
    }

    /** The latest time of the series that is not after {@code time}. */
    OptionalLong floor(int series, long time) throws IOException {
        int at = blockOf(series, time);
        if (at < 0) {
            return OptionalLong.empty();
        }
        Block block = cached(at);
        int place = block.find(series, time);
        int floor = place >= 0 ? place : -place - 2;
        return floor >= 0 && block.series()[floor] == series
                ? OptionalLong.of(block.times()[floor])
                : OptionalLong.empty();
    }

    Block block(int at) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate((int) (offsets[at + 1] - offsets[at]));
        file.read(bytes, offsets[at]);
        return decode(new ByteReader(bytes.array(), 0, bytes.position()));
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    /** The only block that may hold the point; -1 where none may. */
    private int blockOf(int series, long time) {
        int low = 0;
        int high = firstSeries.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (compare(firstSeries[middle], firstTimes[middle], series, time) <= 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return low - 1;
    }

    private Block cached(int block) throws IOException {
        Cached known = cached;
        if (known.at != block) {
            known = new Cached(block, block(block));
            cached = known;
        }
        return known.block;
    }

    private static int compare(int series, long time, int otherSeries, long otherTime) {
        return series != otherSeries ? Integer.compare(series, otherSeries) : Long.compare(time, otherTime);
    }

    private static Block decode(ByteReader in) {
        int[] series = new int[KeyRunWriter.POINTS];
        long[] times = new long[KeyRunWriter.POINTS];
        int count = 0;
        int id = 0;
        while (!in.atEnd()) {
            id += in.count(0, Integer.MAX_VALUE - id, "series");
            int points = in.count(1, KeyRunWriter.POINTS - count, "points");
            long time = in.zigzag("time");
            long step = 0;
            for (int i = 0; i < points; i++) {
                if (i > 0) {
                    step += in.zigzag("step");
                    time += step;
                }
                series[count] = id;
                times[count++] = time;
            }
        }
        return new Block(series, times, count);
    }

    private static KeyRun read(KeyManifest.Run run, SegmentFiles.OpenFile file) throws IOException {
        long size = run.file().bytes();
        if (file.size() != size || size < KeyRunWriter.HEAD.length + KeyRunWriter.TAIL_BYTES) {
            throw new IOException("expected " + size + " bytes, found " + file.size());
        }
        byte[] head = bytes(file, 0, KeyRunWriter.HEAD.length);
        if (!Arrays.equals(head, KeyRunWriter.HEAD)) {
            throw new IOException("expected WKEY and version 1, found " + Arrays.toString(head));
        }
        ByteReader tail = new ByteReader(
                bytes(file, size - KeyRunWriter.TAIL_BYTES, KeyRunWriter.TAIL_BYTES), 0, KeyRunWriter.TAIL_BYTES);
        long points = tail.u64("points");
        int blocks = tail.u32("blocks");
        long indexFrom = tail.u64("index");
        int expected = tail.u32("checksum");
        long indexBytes = size - KeyRunWriter.TAIL_BYTES - indexFrom;
        if (points != run.points() || indexFrom < KeyRunWriter.HEAD.length || indexBytes < 3L * blocks) {
            throw new IOException("expected " + run.points() + " points, found " + points + " in " + blocks
                    + " blocks, the index at " + indexFrom);
        }
        byte[] index = bytes(file, indexFrom, (int) indexBytes);
        CRC32C crc = new CRC32C();
        crc.update(index);
        if ((int) crc.getValue() != expected) {
            throw new IOException("checksum of the index: expected " + Integer.toHexString(expected) + ", found "
                    + Long.toHexString(crc.getValue()));
        }
        return indexed(run, file, index, blocks);
    }

    private static KeyRun indexed(KeyManifest.Run run, SegmentFiles.OpenFile file, byte[] index, int blocks) {
        ByteReader in = new ByteReader(index, 0, index.length);
        int[] series = new int[blocks];
        long[] times = new long[blocks];
        long[] offsets = new long[blocks + 1];
        offsets[0] = KeyRunWriter.HEAD.length;
        int id = 0;
        for (int i = 0; i < blocks; i++) {
            id += in.count(0, Integer.MAX_VALUE - id, "series");
            series[i] = id;
            times[i] = in.zigzag("time");
            offsets[i + 1] = offsets[i] + in.count(1, Integer.MAX_VALUE, "block bytes");
        }
        in.expectEnd("index");
        return new KeyRun(run, file, series, times, offsets);
    }

    private static byte[] bytes(SegmentFiles.OpenFile file, long from, int count) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(count);
        file.read(bytes, from);
        return bytes.array();
    }
}
