package dev.weir.partition.engine;

import dev.weir.partition.catalog.SlotRange;
import dev.weir.partition.entry.CanonicalTags;
import dev.weir.partition.entry.StoredFile;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The files of tables in a manifest, from its version 2 on; big-endian, texts as {@link java.io.DataOutputStream#writeUTF}.
 *
 * <pre>
 * i32 tables, ascending by id, each
 *   i32 table id, i64 flushed through
 *   i32 files, each: text key, i64 bytes, i64 rows, 32 bytes SHA-256, i64 min and i64 max time, i64 first and i64 last seq,
 *     i64 first and i64 last commit time, i32 slot ranges, each i32 from, i32 to (exclusive);  u8 repeats, i64 deletes through, i32 schema version
 *   i32 deletes, each: i64 seq, u8 exact, i32 length and canonical tags, i64 from, i64 to
 * </pre>
 */
final class FileSetCodec {
    private static final int SHA256_BYTES = 32;

    private FileSetCodec() {}

    static void write(DataOutput out, LogFacts facts) throws IOException {
        out.writeInt(facts.tablesWithFiles().size());
        for (int tableId : facts.tablesWithFiles()) {
            FileSet set = facts.files(tableId);
            out.writeInt(tableId);
            out.writeLong(set.flushedThrough());
            out.writeInt(set.files().size());
            for (StoredFile file : set.files()) {
                write(out, file);
            }
            out.writeInt(set.deletes().size());
            for (DeleteRule rule : set.deletes()) {
                write(out, rule);
            }
        }
    }

    static void read(DataInput in, LogFacts facts) throws IOException {
        for (int tables = in.readInt(); tables > 0; tables--) {
            int tableId = in.readInt();
            long flushedThrough = in.readLong();
            List<StoredFile> files = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                files.add(readFile(in));
            }
            List<DeleteRule> deletes = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                deletes.add(readRule(in));
            }
            facts.files(tableId, new FileSet(flushedThrough, files, deletes));
        }
    }

    static void write(DataOutput out, StoredFile file) throws IOException {
        out.writeUTF(file.key());
        out.writeLong(file.bytes());
        out.writeLong(file.rows());
        out.write(file.sha256());
        out.writeLong(file.minTimestampNanos());
        out.writeLong(file.maxTimestampNanos());
        out.writeLong(file.firstSeq());
        out.writeLong(file.lastSeq());
        out.writeLong(file.firstCommittedAtNanos());
        out.writeLong(file.lastCommittedAtNanos());
        out.writeInt(file.slots().size());
        for (SlotRange range : file.slots()) {
            out.writeInt(range.from());
            out.writeInt(range.to());
        }
        out.writeBoolean(file.repeats());
        out.writeLong(file.deletesThroughSeq());
        out.writeInt(file.schemaVersion());
    }

    static StoredFile readFile(DataInput in) throws IOException {
        String key = in.readUTF();
        long bytes = in.readLong();
        long rows = in.readLong();
        byte[] sha256 = new byte[SHA256_BYTES];
        in.readFully(sha256);
        return new StoredFile(
                key,
                bytes,
                rows,
                sha256,
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                readSlots(in),
                in.readBoolean(),
                in.readLong(),
                in.readInt());
    }

    private static List<SlotRange> readSlots(DataInput in) throws IOException {
        List<SlotRange> slots = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            slots.add(new SlotRange(in.readInt(), in.readInt()));
        }
        return slots;
    }

    static void write(DataOutput out, DeleteRule rule) throws IOException {
        byte[] tags = CanonicalTags.encode(rule.tags());
        out.writeLong(rule.seq());
        out.writeBoolean(rule.exact());
        out.writeInt(tags.length);
        out.write(tags);
        out.writeLong(rule.fromNanos());
        out.writeLong(rule.toNanos());
    }

    static DeleteRule readRule(DataInput in) throws IOException {
        long seq = in.readLong();
        boolean exact = in.readBoolean();
        byte[] tags = new byte[in.readInt()];
        in.readFully(tags);
        return new DeleteRule(seq, exact, CanonicalTags.decode(tags, 0, tags.length), in.readLong(), in.readLong());
    }
}
