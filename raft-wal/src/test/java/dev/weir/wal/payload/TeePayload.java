package dev.weir.wal.payload;

import dev.weir.wal.segment.ChannelFiles;
import dev.weir.wal.segment.FileSegmentLog;
import dev.weir.wal.segment.SegmentConfig;
import dev.weir.wal.segment.SegmentFile;
import dev.weir.wal.segment.SegmentManifest;
import dev.weir.wal.segment.SegmentRecord;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;

/** {@link PayloadWay#TEE}: one event per entry. */
final class TeePayload extends PayloadState {
    private static final int READ_BYTES = 1 << 20;

    private FileSegmentLog log;

    @Override
    void restore(Path directory, DataInputStream snapshot) throws IOException {
        SegmentManifest manifest = snapshot == null ? SegmentManifest.empty(0) : readManifest(snapshot);
        log = FileSegmentLog.open(new ChannelFiles(), directory, manifest, SegmentConfig.DEFAULT);
    }

    @Override
    void apply(LogEntryProto entry) throws IOException {
        log.append(
                1,
                entry.getIndex() + 1,
                entry.getStateMachineLogEntry().getLogData().asReadOnlyByteBuffer());
    }

    @Override
    void snapshot(DataOutputStream out) throws IOException {
        SegmentManifest manifest = log.sync();
        out.writeLong(manifest.oldestSeq());
        out.writeLong(manifest.nextSeq());
        out.writeInt(manifest.files().size());
        for (SegmentFile file : manifest.files()) {
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

    @Override
    int readOne(long index) throws IOException {
        return log.read(Math.min(index, log.nextSeq() - 1), 1)
                .getFirst()
                .payload()
                .remaining();
    }

    @Override
    long readAll() throws IOException {
        long bytes = 0;
        long seq = log.oldestSeq();
        while (seq < log.nextSeq()) {
            for (SegmentRecord record : log.read(seq, READ_BYTES)) {
                bytes += record.payload().remaining();
                seq = record.nextSeq();
            }
        }
        return bytes;
    }

    @Override
    public void close() throws IOException {
        super.close();
        log.close();
    }

    private static SegmentManifest readManifest(DataInputStream in) throws IOException {
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
}
