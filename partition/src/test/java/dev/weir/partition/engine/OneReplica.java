package dev.weir.partition.engine;

import dev.weir.partition.catalog.SlotRange;
import dev.weir.partition.entry.ApplyReply;
import dev.weir.partition.entry.EntryBuilder;
import dev.weir.partition.entry.Section.DeleteSection;
import dev.weir.partition.entry.Section.FenceSection;
import dev.weir.partition.model.SeriesHash;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import dev.weir.partition.write.AppendOutcome;
import dev.weir.partition.write.BatchId;
import dev.weir.wal.LogPosition;
import dev.weir.wal.segment.SegmentConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** A replica that owns all slots and gets entries by hand. */
final class OneReplica implements AutoCloseable {
    static final TableSchema CPU = Rows.schema(7, "t", "cpu", 1);
    static final TableSchema DISK = Rows.schema(8, "t", "disk", 1);

    /** Where all that is asked for must be in the log. */
    static final FileRows NO_FILES = (file, as, series) -> {
        throw new AssertionError("no file is expected to be read, found " + file.key());
    };

    private final Path directory;
    private final PartitionReplica replica;
    private final BufferBudget budget = new BufferBudget(1 << 20, 1 << 30);
    private long index;
    private long batch;

    OneReplica(Path directory, int segmentBytes, int recentBytes) {
        this.directory = directory;
        this.replica = new PartitionReplica(
                Rows.PARTITION,
                Rows.GENERATION,
                new ReplicaSettings(new SegmentConfig(segmentBytes), recentBytes),
                budget,
                (node, partition, generation) -> {
                    throw new IOException("no other node");
                },
                MovedSegments.NONE,
                Runnable::run,
                new QuickFiles());
        replica.restore(directory);
        apply(entry -> entry.add(new FenceSection(List.of(new SlotRange(0, SeriesHash.SLOTS)), 1, Rows.GENERATION)));
    }

    PartitionReplica replica() {
        return replica;
    }

    BufferBudget budget() {
        return budget;
    }

    Path directory() {
        return directory;
    }

    AppendOutcome write(TableSchema schema, Rows.Row... rows) {
        return apply(entry -> entry.add(Rows.request(++batch, Rows.block(schema, rows)), 0))
                .getFirst();
    }

    AppendOutcome delete(TableSchema schema, List<Tag> tags) {
        return apply(entry -> entry.add(new DeleteSection(
                        new BatchId("front", 1, ++batch),
                        Rows.GENERATION,
                        schema.tenant(),
                        schema.tableId(),
                        schema.name(),
                        tags,
                        "change")))
                .getFirst();
    }

    List<AppendOutcome> apply(Consumer<EntryBuilder> section) {
        EntryBuilder entry = new EntryBuilder(replica.opened().definitions());
        section.accept(entry);
        index++;
        byte[] reply = replica.apply(new LogPosition(1, index), index * 1000, entry.build());
        return ApplyReply.decode(reply).outcomes();
    }

    void snapshot() {
        replica.snapshot(new LogPosition(1, index));
    }

    void restart() {
        replica.close();
        index = replica.restore(directory).index();
    }

    @Override
    public void close() {
        replica.close();
    }
}
