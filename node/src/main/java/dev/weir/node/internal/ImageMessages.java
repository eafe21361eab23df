package dev.weir.node.internal;

import dev.weir.node.internal.PartitionTables.Buffered;
import dev.weir.partition.catalog.SlotRange;
import dev.weir.partition.engine.DeleteRule;
import dev.weir.partition.engine.RowPick;
import dev.weir.partition.entry.StoredFile;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Tag;
import dev.weir.partition.read.Consistency;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The messages by which a node gets images of tables from a partition's leader. */
final class ImageMessages {
    /** One message is not to be larger; partitions beyond are asked for alone. */
    private static final int PARTS_BYTES_MAX = 32 << 20;

    private ImageMessages() {}

    /** What a node asks another for. */
    record Asked(Consistency consistency, List<Integer> partitions, ImageQuery query) {}

    /** What came of one partition. */
    sealed interface Part {
        int partition();

        record Taken(PartitionTables tables) implements Part {
            @Override
            public int partition() {
                return tables.partition();
            }
        }

        record Refused(int partition, PeerRefusal refusal) implements Part {}
    }

    static Buffer encode(Asked asked) {
        WireWriter out = new WireWriter(256).putBool(asked.consistency() == Consistency.ANY);
        putInts(out, asked.partitions());
        put(out, asked.query());
        return out.buffer();
    }

    static Asked decodeAsked(Buffer message) {
        WireReader in = new WireReader(message);
        return new Asked(in.readBool() ? Consistency.ANY : Consistency.LEADER, readInts(in), readQuery(in));
    }

    /** As many of the parts as one message may hold, the first in any case. */
    static Buffer encode(List<Part> parts) {
        WireWriter out = new WireWriter(4096);
        for (Part part : parts) {
            if (out.buffer().length() > PARTS_BYTES_MAX) {
                break;
            }
            out.putBool(true);
            switch (part) {
                case Part.Taken taken -> {
                    out.putBool(true);
                    put(out, taken.tables());
                }
                case Part.Refused refused ->
                    out.putBool(false)
                            .putInt(refused.partition())
                            .putText(refused.refusal().code().name())
                            .putText(refused.refusal().message())
                            .putText(refused.refusal().leader());
            }
        }
        return out.putBool(false).buffer();
    }

    static List<Part> decodeParts(Buffer message) {
        WireReader in = new WireReader(message);
        List<Part> parts = new ArrayList<>();
        while (in.readBool()) {
            parts.add(
                    in.readBool()
                            ? new Part.Taken(readTables(in))
                            : new Part.Refused(
                                    in.readInt(),
                                    new PeerRefusal(ErrorCode.valueOf(in.readText()), in.readText(), in.readText())));
        }
        return parts;
    }

    static Buffer encode(ImageQuery query) {
        WireWriter out = new WireWriter(256);
        put(out, query);
        return out.buffer();
    }

    private static void put(WireWriter out, ImageQuery query) {
        out.putInt(query.tables().size());
        for (ImageQuery.Table table : query.tables()) {
            out.putInt(table.tableId())
                    .putLong(table.pick().fromNanos())
                    .putLong(table.pick().toNanos())
                    .putInt(table.pick().tags().size());
            table.pick().tags().forEach((key, values) -> {
                out.putText(key).putInt(values.size());
                values.forEach(out::putText);
            });
            putInts(out, table.columns());
            out.putBool(table.newest());
        }
    }

    static ImageQuery decodeQuery(Buffer message) {
        return readQuery(new WireReader(message));
    }

    private static ImageQuery readQuery(WireReader in) {
        List<ImageQuery.Table> tables = new ArrayList<>();
        for (int left = in.readCount(28); left > 0; left--) {
            int tableId = in.readInt();
            long from = in.readLong();
            long to = in.readLong();
            Map<String, Set<String>> tags = new LinkedHashMap<>();
            for (int keys = in.readCount(8); keys > 0; keys--) {
                String key = in.readText();
                Set<String> values = new HashSet<>();
                for (int count = in.readCount(4); count > 0; count--) {
                    values.add(in.readText());
                }
                tags.put(key, values);
            }
            tables.add(new ImageQuery.Table(tableId, new RowPick(from, to, tags), readInts(in), in.readBool()));
        }
        return new ImageQuery(tables);
    }

    static Buffer encode(PartitionTables tables) {
        WireWriter out = new WireWriter(1024);
        put(out, tables);
        return out.buffer();
    }

    private static void put(WireWriter out, PartitionTables tables) {
        out.putInt(tables.partition())
                .putLong(tables.nextSeq())
                .putInt(tables.tables().size());
        for (Optional<PartitionTables.Rows> each : tables.tables()) {
            out.putBool(each.isPresent());
            each.ifPresent(rows -> put(out, rows));
        }
    }

    static PartitionTables decodeTables(Buffer message) {
        return readTables(new WireReader(message));
    }

    private static PartitionTables readTables(WireReader in) {
        int partition = in.readInt();
        long nextSeq = in.readLong();
        List<Optional<PartitionTables.Rows>> tables = new ArrayList<>();
        for (int left = in.readCount(1); left > 0; left--) {
            tables.add(in.readBool() ? Optional.of(readRows(in)) : Optional.empty());
        }
        return new PartitionTables(partition, nextSeq, tables);
    }

    private static void put(WireWriter out, PartitionTables.Rows rows) {
        putFiles(out, rows.files());
        out.putInt(rows.skipped().byTime())
                .putInt(rows.skipped().byTags())
                .putInt(rows.skipped().byNewest());
        putDeletes(out, rows.deletes());
        Buffered buffered = rows.buffered();
        out.putInt(buffered.rows())
                .putLong(buffered.minNanos())
                .putLong(buffered.maxNanos())
                .putLong(buffered.maxSeq())
                .putBool(buffered.repeats());
        putInts(out, buffered.columns());
        out.putBytes(buffered.arrow());
    }

    private static PartitionTables.Rows readRows(WireReader in) {
        List<StoredFile> files = readFiles(in);
        PartitionTables.Skipped skipped = new PartitionTables.Skipped(in.readInt(), in.readInt(), in.readInt());
        List<DeleteRule> deletes = readDeletes(in);
        return new PartitionTables.Rows(
                files,
                skipped,
                deletes,
                new Buffered(
                        in.readInt(),
                        in.readLong(),
                        in.readLong(),
                        in.readLong(),
                        in.readBool(),
                        readInts(in),
                        in.readBytes()));
    }

    static void putFiles(WireWriter out, List<StoredFile> files) {
        out.putInt(files.size());
        for (StoredFile file : files) {
            put(out, file);
        }
    }

    static List<StoredFile> readFiles(WireReader in) {
        List<StoredFile> files = new ArrayList<>();
        for (int left = in.readCount(104); left > 0; left--) {
            files.add(readFile(in));
        }
        return files;
    }

    static void putDeletes(WireWriter out, List<DeleteRule> deletes) {
        out.putInt(deletes.size());
        for (DeleteRule rule : deletes) {
            out.putLong(rule.seq()).putBool(rule.exact());
            WriteMessages.putTags(out, rule.tags());
            out.putLong(rule.fromNanos()).putLong(rule.toNanos());
        }
    }

    static List<DeleteRule> readDeletes(WireReader in) {
        List<DeleteRule> deletes = new ArrayList<>();
        for (int left = in.readCount(26); left > 0; left--) {
            long seq = in.readLong();
            boolean exact = in.readBool();
            List<Tag> tags = WriteMessages.readTags(in);
            deletes.add(new DeleteRule(seq, exact, tags == null ? List.of() : tags, in.readLong(), in.readLong()));
        }
        return deletes;
    }

    private static void put(WireWriter out, StoredFile file) {
        out.putText(file.key())
                .putLong(file.bytes())
                .putLong(file.rows())
                .putBytes(file.sha256())
                .putLong(file.minTimestampNanos())
                .putLong(file.maxTimestampNanos())
                .putLong(file.firstSeq())
                .putLong(file.lastSeq())
                .putLong(file.firstCommittedAtNanos())
                .putLong(file.lastCommittedAtNanos())
                .putInt(file.slots().size());
        for (SlotRange range : file.slots()) {
            out.putInt(range.from()).putInt(range.to());
        }
        out.putBool(file.repeats()).putLong(file.deletesThroughSeq()).putInt(file.schemaVersion());
    }

    private static StoredFile readFile(WireReader in) {
        String key = in.readText();
        long bytes = in.readLong();
        long rows = in.readLong();
        byte[] sha256 = in.readBytes();
        long minTime = in.readLong();
        long maxTime = in.readLong();
        long firstSeq = in.readLong();
        long lastSeq = in.readLong();
        long firstCommitted = in.readLong();
        long lastCommitted = in.readLong();
        List<SlotRange> slots = new ArrayList<>();
        for (int left = in.readCount(8); left > 0; left--) {
            slots.add(new SlotRange(in.readInt(), in.readInt()));
        }
        return new StoredFile(
                key,
                bytes,
                rows,
                sha256,
                minTime,
                maxTime,
                firstSeq,
                lastSeq,
                firstCommitted,
                lastCommitted,
                slots,
                in.readBool(),
                in.readLong(),
                in.readInt());
    }

    private static void putInts(WireWriter out, List<Integer> values) {
        out.putInt(values.size());
        values.forEach(out::putInt);
    }

    private static List<Integer> readInts(WireReader in) {
        List<Integer> values = new ArrayList<>();
        for (int left = in.readCount(4); left > 0; left--) {
            values.add(in.readInt());
        }
        return values;
    }
}
