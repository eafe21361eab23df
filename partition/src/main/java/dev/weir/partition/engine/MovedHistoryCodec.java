package dev.weir.partition.engine;

import dev.weir.partition.entry.MovedSegment;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What of a partition's history is in the store, in a manifest from its version 3 on; big-endian, texts as {@link java.io.DataOutputStream#writeUTF}.
 *
 * <pre>
 * i64 through, i32 segments, oldest first, each:
 *   text key, i64 bytes, 32 bytes SHA-256, i64 first seq, i64 next seq, i64 first and i64 last commit time
 * </pre>
 */
final class MovedHistoryCodec {
    private static final int SHA256_BYTES = 32;

    private MovedHistoryCodec() {}

    static void write(DataOutput out, MovedHistory moved) throws IOException {
        out.writeLong(moved.through());
        out.writeInt(moved.segments().size());
        for (MovedSegment segment : moved.segments()) {
            out.writeUTF(segment.key());
            out.writeLong(segment.bytes());
            out.write(segment.sha256());
            out.writeLong(segment.firstSeq());
            out.writeLong(segment.nextSeq());
            out.writeLong(segment.firstCommittedAtNanos());
            out.writeLong(segment.lastCommittedAtNanos());
        }
    }

    static MovedHistory read(DataInput in) throws IOException {
        long through = in.readLong();
        List<MovedSegment> segments = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            String key = in.readUTF();
            long bytes = in.readLong();
            byte[] sha256 = new byte[SHA256_BYTES];
            in.readFully(sha256);
            segments.add(
                    new MovedSegment(key, bytes, sha256, in.readLong(), in.readLong(), in.readLong(), in.readLong()));
        }
        return new MovedHistory(segments, through);
    }
}
