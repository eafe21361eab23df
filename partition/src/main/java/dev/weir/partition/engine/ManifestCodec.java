package dev.weir.partition.engine;

import dev.weir.wal.LogPosition;
import dev.weir.wal.segment.SegmentFile;
import dev.weir.wal.segment.SegmentManifest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A replica's manifest; big-endian, texts as {@link DataOutputStream#writeUTF}. Version 1 has neither keys nor the files of tables, version 2 no moved history: it is
 * written before moves begin.
 *
 * <pre>
 * "WMAN" u8 version
 * i32 partition, i32 generation, i64 term, i64 index, text folder
 * definitions: i64 bytes, u32 CRC-32C
 * segments: i64 oldest seq, i64 next seq, i32 files, each
 *   text name, i64 first seq, i64 next seq, i64 first and i64 last commit time, i64 bytes, u32 CRC-32C, u8 sealed
 * from version 2 on: {@link KeyManifestCodec}
 * {@link LogFactsCodec}
 * from version 3 on: {@link MovedHistoryCodec}
 * u32 CRC-32C of all before
 * </pre>
 */
final class ManifestCodec {
    private static final byte[] MAGIC = {'W', 'M', 'A', 'N'};
    private static final int VERSION = 3;
    private static final int VERSION_UNMOVED = 2;
    private static final int CRC_BYTES = 4;

    private ManifestCodec() {}

    static byte[] encode(ReplicaManifest manifest) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.write(MAGIC);
            MovedHistory moved = manifest.facts().moved();
            boolean unmoved = moved.equals(MovedHistory.NONE);
            out.writeByte(unmoved ? VERSION_UNMOVED : VERSION);
            out.writeInt(manifest.partition());
            out.writeInt(manifest.generation());
            out.writeLong(manifest.position().term());
            out.writeLong(manifest.position().index());
            out.writeUTF(manifest.folder());
            out.writeLong(manifest.definitions().bytes());
            out.writeInt(manifest.definitions().crc32c());
            writeSegments(out, manifest.segments());
            KeyManifestCodec.write(out, manifest.keys());
            LogFactsCodec.write(out, manifest.facts());
            if (!unmoved) {
                MovedHistoryCodec.write(out, moved);
            }
            out.writeInt(crc(bytes.toByteArray(), bytes.size()));
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory", e);
        }
        return bytes.toByteArray();
    }

    /** @throws IOException the bytes are no manifest of this version, or damaged */
    static ReplicaManifest decode(byte[] bytes) throws IOException {
        if (bytes.length < MAGIC.length + 1 + CRC_BYTES || !Arrays.equals(bytes, 0, 4, MAGIC, 0, 4)) {
            throw new IOException("manifest: expected it to begin with WMAN, found " + bytes.length + " other bytes");
        }
        int version = bytes[4];
        if (version < 1 || version > VERSION) {
            throw new IOException("manifest: expected version 1 to " + VERSION + ", found " + version);
        }
        int expected = ByteBuffer.wrap(bytes).getInt(bytes.length - CRC_BYTES);
        int found = crc(bytes, bytes.length - CRC_BYTES);
        if (expected != found) {
            throw new IOException("manifest: checksum: expected " + Integer.toHexString(expected) + ", found "
                    + Integer.toHexString(found));
        }
        try (DataInputStream in =
                new DataInputStream(new ByteArrayInputStream(bytes, 5, bytes.length - 5 - CRC_BYTES))) {
            ReplicaManifest manifest = new ReplicaManifest(
                    in.readInt(),
                    in.readInt(),
                    new LogPosition(in.readLong(), in.readLong()),
                    in.readUTF(),
                    new DefinitionsFile.Extent(in.readLong(), in.readInt()),
                    readSegments(in),
                    version > 1 ? KeyManifestCodec.read(in) : KeyManifest.NONE,
                    LogFactsCodec.read(in, version));
            if (version > VERSION_UNMOVED) {
                manifest.facts().moved(MovedHistoryCodec.read(in));
            }
            return manifest;
        }
    }

    private static void writeSegments(DataOutputStream out, SegmentManifest segments) throws IOException {
        out.writeLong(segments.oldestSeq());
        out.writeLong(segments.nextSeq());
        out.writeInt(segments.files().size());
        for (SegmentFile file : segments.files()) {
            out.writeUTF(file.name());
            out.writeLong(file.firstSeq());
            out.writeLong(file.nextSeq());
            out.writeLong(file.firstCommittedAtNanos());
            out.writeLong(file.lastCommittedAtNanos());
            out.writeLong(file.bytes());
            out.writeInt(file.crc32c());
            out.writeBoolean(file.sealed());
        }
    }

    private static SegmentManifest readSegments(DataInput in) throws IOException {
        long oldest = in.readLong();
        long next = in.readLong();
        int count = in.readInt();
        List<SegmentFile> files = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            files.add(new SegmentFile(
                    in.readUTF(),
                    in.readLong(),
                    in.readLong(),
                    in.readLong(),
                    in.readLong(),
                    in.readLong(),
                    in.readInt(),
                    in.readBoolean()));
        }
        return new SegmentManifest(oldest, next, files);
    }

    private static int crc(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
