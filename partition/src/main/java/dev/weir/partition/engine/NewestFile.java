package dev.weir.partition.engine;

import dev.weir.partition.engine.KeyManifest.KeyFile;
import dev.weir.partition.entry.ByteReader;
import dev.weir.partition.entry.ByteWriter;
import dev.weir.wal.segment.SegmentFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The newest point of each series, and which events wrote it. Version 1; numbers as {@link ByteWriter} has them; the manifest has length and
 * checksum.
 *
 * <pre>
 * "WNEW" u8 version=1, u32 series, each: varint id (difference), zigzag time, varint seqs (0: not known), each varint seq (the first, then differences)
 * </pre>
 */
final class NewestFile {
    private static final byte[] HEAD = {'W', 'N', 'E', 'W', 1};

    private NewestFile() {}

    /** Told of each series. */
    interface Target {
        /** @param seqs ascending; empty where they are not known */
        void newest(int series, long time, long[] seqs);
    }

    /** Writes the file and makes it durable; its name becomes so with the folder. */
    static KeyFile write(SegmentFiles files, Path folder, String name, PointTimes times, LatestRefs latest)
            throws IOException {
        ByteWriter out = new ByteWriter(64 << 10);
        out.raw(HEAD, 0, HEAD.length);
        int count = 0;
        for (int series = 0; series < times.seriesEnd(); series++) {
            count += times.count(series) > 0 ? 1 : 0;
        }
        out.u32(count);
        int before = 0;
        for (int series = 0; series < times.seriesEnd(); series++) {
            if (times.count(series) > 0) {
                out.varint(series - before);
                before = series;
                out.zigzag(times.newest(series));
                seqs(out, latest.seqs(series));
            }
        }
        byte[] bytes = out.toArray();
        if (files.list(folder).contains(name)) {
            files.delete(folder.resolve(name));
        }
        try (SegmentFiles.OpenFile file = files.create(folder.resolve(name))) {
            file.write(ByteBuffer.wrap(bytes), 0);
            file.force();
        }
        return new KeyFile(name, bytes.length, crc(bytes));
    }

    /** @throws IOException the file is not what the manifest says */
    static void read(SegmentFiles files, Path folder, KeyFile named, Target target) throws IOException {
        byte[] bytes;
        try (SegmentFiles.OpenFile file = files.open(folder.resolve(named.name()))) {
            bytes = new byte[(int) Math.min(file.size(), named.bytes())];
            file.read(ByteBuffer.wrap(bytes), 0);
        }
        if (bytes.length != named.bytes()
                || crc(bytes) != named.crc32c()
                || !Arrays.equals(bytes, 0, HEAD.length, HEAD, 0, HEAD.length)) {
            throw new IOException("file " + named.name() + ": expected WNEW version 1 of " + named.bytes()
                    + " bytes, checksum " + Integer.toHexString(named.crc32c()) + ", found " + bytes.length + " and "
                    + Integer.toHexString(crc(bytes)));
        }
        ByteReader in = new ByteReader(bytes, HEAD.length, bytes.length);
        int series = 0;
        for (int left = in.u32("series"); left > 0; left--) {
            series += in.count(0, Integer.MAX_VALUE - series, "series");
            long time = in.zigzag("time");
            long[] seqs = new long[in.countOf(1, "seqs")];
            long seq = 0;
            for (int i = 0; i < seqs.length; i++) {
                seq += in.varint("seq");
                seqs[i] = seq;
            }
            target.newest(series, time, seqs);
        }
        in.expectEnd("newest points");
    }

    private static void seqs(ByteWriter out, long @org.jspecify.annotations.Nullable [] seqs) {
        out.varint(seqs == null ? 0 : seqs.length);
        long before = 0;
        for (int i = 0; seqs != null && i < seqs.length; i++) {
            out.varint(seqs[i] - before);
            before = seqs[i];
        }
    }

    private static int crc(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
