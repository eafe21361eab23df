package dev.weir.partition.entry;

import dev.weir.partition.catalog.SlotRange;
import dev.weir.partition.entry.Section.CompactionSection;
import dev.weir.partition.entry.Section.DeleteSection;
import dev.weir.partition.entry.Section.ExpirySection;
import dev.weir.partition.entry.Section.FenceSection;
import dev.weir.partition.entry.Section.FlushSection;
import dev.weir.partition.entry.Section.LineageSection;
import dev.weir.partition.entry.Section.MoveSection;
import dev.weir.partition.entry.Section.Parent;
import dev.weir.partition.entry.Section.RangeDeleteCause;
import dev.weir.partition.entry.Section.RangeDeleteSection;
import dev.weir.partition.model.SeriesHash;
import dev.weir.partition.model.Tag;
import dev.weir.partition.write.BatchId;
import java.util.ArrayList;
import java.util.List;

/**
 * The bodies of all sections but the append.
 *
 * <pre>
 * DELETE        batch, varint generation, text tenant, varint table id, text measurement, u8 what (0 table, 1 series),
 *               if 1: blob canonical tags;  text change id
 * RANGE_DELETE  batch, varint generation, text tenant, varint table id, text measurement, blob canonical tags of the predicate,
 *               zigzag from, zigzag to, u8 cause, text change id, if the cause is 3 (quarantine): varint as-of seq, at least 1
 * TRIM          varint seq
 * TICK          nothing
 * EXPIRY        zigzag before, varint records
 * FENCE         slots, varint epoch, varint generation
 * LINEAGE       varint parents, each: varint partition, varint generation, varint last seq;  slots, varint epoch, varint generation
 * FLUSH         varint table id, varint from, varint to, files, varint term
 * COMPACTION    varint table id, varint inputs, text key each, files, varint deletes through, varint term
 * MOVE          text key, varint bytes, 32 bytes sha-256, varint first seq, varint next seq, zigzag first commit time, zigzag last commit time,
 *               varint term
 * MOVES_BEGIN   nothing
 * slots         varint ranges, each: varint from, varint to (exclusive)
 * files         varint files, each: text key, varint bytes, varint rows, 32 bytes sha-256, zigzag min time, zigzag max time,
 *               varint first seq, varint last seq, zigzag first commit time, zigzag last commit time, slots, u8 repeats (0, 1),
 *               varint deletes through, varint schema version
 * </pre>
 *
 * <p>Entries of before there were terms end without one.
 */
final class SectionCodec {
    private static final int SHA256_BYTES = 32;
    private static final int FILE_BYTES_MIN = 43;

    private SectionCodec() {}

    static void write(ByteWriter out, DeleteSection delete) {
        AppendCodec.writeBatch(out, delete.batch());
        out.varint(delete.generation());
        out.text(delete.tenant());
        out.varint(delete.tableId());
        out.text(delete.measurement());
        List<Tag> tags = delete.tags();
        out.u8(tags == null ? 0 : 1);
        if (tags != null) {
            writeTags(out, tags);
        }
        out.text(delete.changeId());
    }

    static void write(ByteWriter out, RangeDeleteSection delete) {
        AppendCodec.writeBatch(out, delete.batch());
        out.varint(delete.generation());
        out.text(delete.tenant());
        out.varint(delete.tableId());
        out.text(delete.measurement());
        writeTags(out, delete.predicate());
        out.zigzag(delete.fromNanos());
        out.zigzag(delete.toNanos());
        out.u8(delete.cause().code());
        out.text(delete.changeId());
        if (delete.cause() == RangeDeleteCause.QUARANTINE) {
            out.varint(delete.asOfSeq());
        }
    }

    static void write(ByteWriter out, FenceSection fence) {
        writeSlots(out, fence.slots());
        out.varint(fence.epoch());
        out.varint(fence.generation());
    }

    static void write(ByteWriter out, LineageSection lineage) {
        out.varint(lineage.parents().size());
        for (Parent parent : lineage.parents()) {
            out.varint(parent.partition());
            out.varint(parent.generation());
            out.varint(parent.lastSeq());
        }
        writeSlots(out, lineage.slots());
        out.varint(lineage.epoch());
        out.varint(lineage.generation());
    }

    static void write(ByteWriter out, FlushSection flush) {
        out.varint(flush.tableId());
        out.varint(flush.fromSeq());
        out.varint(flush.toSeq());
        writeFiles(out, flush.files());
        out.varint(flush.term());
    }

    static void write(ByteWriter out, CompactionSection compaction) {
        out.varint(compaction.tableId());
        out.varint(compaction.inputs().size());
        for (String key : compaction.inputs()) {
            out.text(key);
        }
        writeFiles(out, compaction.outputs());
        out.varint(compaction.deletesThroughSeq());
        out.varint(compaction.term());
    }

    static void write(ByteWriter out, MoveSection move) {
        MovedSegment segment = move.segment();
        out.text(segment.key());
        out.varint(segment.bytes());
        writeDigest(out, segment.sha256());
        out.varint(segment.firstSeq());
        out.varint(segment.nextSeq());
        out.zigzag(segment.firstCommittedAtNanos());
        out.zigzag(segment.lastCommittedAtNanos());
        out.varint(move.term());
    }

    static DeleteSection readDelete(ByteReader in) {
        return new DeleteSection(
                AppendCodec.readBatch(in),
                integer(in, "generation"),
                in.text("tenant"),
                integer(in, "table id"),
                in.text("measurement"),
                SchemaCodec.flag(in, "what to delete") ? readTags(in) : null,
                in.text("change id"));
    }

    static RangeDeleteSection readRangeDelete(ByteReader in) {
        BatchId batch = AppendCodec.readBatch(in);
        int generation = integer(in, "generation");
        String tenant = in.text("tenant");
        int tableId = integer(in, "table id");
        String measurement = in.text("measurement");
        List<Tag> predicate = readTags(in);
        long from = in.zigzag("first timestamp");
        long to = in.zigzag("last timestamp");
        RangeDeleteCause cause = RangeDeleteCause.ofCode(in.u8("cause"));
        String changeId = in.text("change id");
        long asOf = cause == RangeDeleteCause.QUARANTINE ? asOf(in) : 0;
        return new RangeDeleteSection(
                batch, generation, tenant, tableId, measurement, predicate, from, to, cause, changeId, asOf);
    }

    private static long asOf(ByteReader in) {
        long seq = in.varint("as-of seq");
        if (seq < 1) {
            throw new FormatException("as-of seq: " + seq + ", expected at least 1");
        }
        return seq;
    }

    static ExpirySection readExpiry(ByteReader in) {
        return new ExpirySection(in.zigzag("expiry time"), integer(in, "records kept"));
    }

    static FenceSection readFence(ByteReader in) {
        return new FenceSection(readSlots(in), in.varint("epoch"), integer(in, "generation"));
    }

    static LineageSection readLineage(ByteReader in) {
        int count = in.countOf(3, "parents");
        List<Parent> parents = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            parents.add(new Parent(
                    integer(in, "parent partition"), integer(in, "parent generation"), in.varint("parent's last seq")));
        }
        return new LineageSection(parents, readSlots(in), in.varint("epoch"), integer(in, "generation"));
    }

    static FlushSection readFlush(ByteReader in) {
        return new FlushSection(
                integer(in, "table id"), in.varint("from seq"), in.varint("to seq"), readFiles(in), readTerm(in));
    }

    static CompactionSection readCompaction(ByteReader in) {
        int tableId = integer(in, "table id");
        int count = in.countOf(1, "inputs");
        List<String> inputs = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            inputs.add(in.text("input key"));
        }
        return new CompactionSection(tableId, inputs, readFiles(in), in.varint("deletes through seq"), readTerm(in));
    }

    static MoveSection readMove(ByteReader in) {
        MovedSegment segment = new MovedSegment(
                in.text("segment key"),
                in.varint("segment bytes"),
                digest(in),
                in.varint("segment first seq"),
                in.varint("segment next seq"),
                in.zigzag("segment first commit time"),
                in.zigzag("segment last commit time"));
        if (segment.nextSeq() <= segment.firstSeq()) {
            throw new FormatException(
                    "segment next seq: " + segment.nextSeq() + ", expected more than the first, " + segment.firstSeq());
        }
        return new MoveSection(segment, in.varint("term"));
    }

    private static long readTerm(ByteReader in) {
        return in.atEnd() ? Section.ANY_TERM : in.varint("term");
    }

    private static int integer(ByteReader in, String what) {
        return in.count(0, Integer.MAX_VALUE, what);
    }

    private static void writeTags(ByteWriter out, List<Tag> tags) {
        byte[] canonical = CanonicalTags.encode(tags);
        out.blob(canonical, 0, canonical.length);
    }

    private static List<Tag> readTags(ByteReader in) {
        int length = in.length("tags");
        return CanonicalTags.decode(in.array(), in.skip(length, "tags"), length);
    }

    private static void writeSlots(ByteWriter out, List<SlotRange> slots) {
        out.varint(slots.size());
        for (SlotRange range : slots) {
            out.varint(range.from());
            out.varint(range.to());
        }
    }

    private static List<SlotRange> readSlots(ByteReader in) {
        int count = in.count(0, SeriesHash.SLOTS, "slot ranges");
        List<SlotRange> slots = new ArrayList<>(Math.min(count, in.remaining()));
        for (int i = 0; i < count; i++) {
            int from = in.count(0, SeriesHash.SLOTS - 1, "first slot");
            slots.add(new SlotRange(from, in.count(from + 1, SeriesHash.SLOTS, "slot behind the last")));
        }
        return slots;
    }

    private static void writeFiles(ByteWriter out, List<StoredFile> files) {
        out.varint(files.size());
        for (StoredFile file : files) {
            out.text(file.key());
            out.varint(file.bytes());
            out.varint(file.rows());
            writeDigest(out, file.sha256());
            out.zigzag(file.minTimestampNanos());
            out.zigzag(file.maxTimestampNanos());
            out.varint(file.firstSeq());
            out.varint(file.lastSeq());
            out.zigzag(file.firstCommittedAtNanos());
            out.zigzag(file.lastCommittedAtNanos());
            writeSlots(out, file.slots());
            out.u8(file.repeats() ? 1 : 0);
            out.varint(file.deletesThroughSeq());
            out.varint(file.schemaVersion());
        }
    }

    private static List<StoredFile> readFiles(ByteReader in) {
        int count = in.countOf(FILE_BYTES_MIN, "files");
        List<StoredFile> files = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            files.add(new StoredFile(
                    in.text("file key"),
                    in.varint("file bytes"),
                    in.varint("file rows"),
                    digest(in),
                    in.zigzag("file min time"),
                    in.zigzag("file max time"),
                    in.varint("file first seq"),
                    in.varint("file last seq"),
                    in.zigzag("file first commit time"),
                    in.zigzag("file last commit time"),
                    readSlots(in),
                    SchemaCodec.flag(in, "file repeats"),
                    in.varint("file deletes through"),
                    integer(in, "file schema version")));
        }
        return files;
    }

    private static void writeDigest(ByteWriter out, byte[] sha256) {
        if (sha256.length != SHA256_BYTES) {
            throw new IllegalArgumentException("digest of " + sha256.length + " bytes, expected " + SHA256_BYTES);
        }
        out.raw(sha256, 0, SHA256_BYTES);
    }

    private static byte[] digest(ByteReader in) {
        int at = in.skip(SHA256_BYTES, "file digest");
        return java.util.Arrays.copyOfRange(in.array(), at, at + SHA256_BYTES);
    }
}
