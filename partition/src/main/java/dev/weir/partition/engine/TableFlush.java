package dev.weir.partition.engine;

import dev.weir.partition.engine.OpenReplica.TableCut;
import dev.weir.partition.entry.Section.FlushSection;
import dev.weir.partition.entry.StoredFile;
import dev.weir.partition.file.DataFileWriter;
import dev.weir.partition.file.FileHead;
import dev.weir.partition.file.FileLimits;
import dev.weir.partition.file.MergeRows;
import dev.weir.partition.file.RowBatch;
import dev.weir.partition.file.RowSource;
import dev.weir.partition.file.WrittenFile;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.store.DataFileKeys;
import dev.weir.partition.store.ObjectStore;
import dev.weir.partition.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes a table's buffered rows as files, one a UTC day, and stores them. What it answers has still to be committed through the log; where that
 * fails the files belong to nobody. Blocks on disk and store; one thread.
 */
final class TableFlush {
    /** Days of one flush, at least until a record ends; the rest is left for the next, so that the log entry stays small. */
    static final int DAYS_MAX = 1024;

    private final int partition;
    private final OpenReplica replica;
    private final ObjectStore store;
    private final Path temporary;

    /** @param temporary a folder on this node's disk for files being written */
    TableFlush(int partition, OpenReplica replica, ObjectStore store, Path temporary) {
        this.partition = partition;
        this.replica = replica;
        this.store = store;
        this.temporary = temporary;
    }

    /** Null where the table has nothing to flush. */
    @Nullable
    FlushSection write(int tableId) throws IOException, StoreException, InterruptedException {
        TableCut cut = replica.cut(tableId).orElse(null);
        if (cut == null) {
            return null;
        }
        long from = Math.max(cut.files().flushedThrough() + 1, cut.firstBufferedSeq());
        BufferedRows rows = BufferedRows.read(
                partition,
                replica.segments(),
                replica.definitions(),
                tableId,
                RowPick.ALL,
                Math.min(from, cut.nextSeq()),
                cut.nextSeq(),
                DAYS_MAX);
        if (rows.count() == 0) {
            return null;
        }
        long through = rows.endSeq() - 1;
        DeleteRules deletes = new DeleteRules(cut.files().deletes(), through);
        List<StoredFile> files = new ArrayList<>();
        for (long day : rows.days()) {
            StoredFile file = write(rows, day, cut, deletes, through);
            if (file != null) {
                files.add(file);
            }
        }
        return new FlushSection(tableId, cut.files().flushedThrough(), through, files);
    }

    /** Null where deletes took all of the day's rows. */
    private @Nullable StoredFile write(BufferedRows rows, long day, TableCut cut, DeleteRules deletes, long through)
            throws IOException, StoreException, InterruptedException {
        TableSchema schema = cut.schema();
        int[] order = rows.inFileOrder(day);
        FileHead head = new FileHead(schema, partition, cut.files().flushedThrough() + 1, through);
        Path path = temporary.resolve("flush-" + UUID.randomUUID());
        WrittenFile written;
        try (RowSource merged = new MergeRows(schema, List.of(new BufferSource(rows, order, schema)), deletes);
                DataFileWriter writer = DataFileWriter.create(path, head, FileLimits.DEFAULT)) {
            RowBatch batch = merged.next();
            if (batch == null) {
                return null;
            }
            for (; batch != null; batch = merged.next()) {
                writer.append(batch);
            }
            written = writer.finish();
        }
        try {
            return stored(written, day, rows, order, cut, through);
        } finally {
            Files.deleteIfExists(path);
        }
    }

    private StoredFile stored(WrittenFile written, long day, BufferedRows rows, int[] order, TableCut cut, long through)
            throws StoreException, InterruptedException {
        TableSchema schema = cut.schema();
        String key = DataFileKeys.dataFile(
                schema.tenant(),
                schema.name(),
                schema.tableId(),
                LocalDate.ofEpochDay(day),
                partition,
                written.firstSeq(),
                written.lastSeq(),
                written.file().sha256());
        store.put(key, written.file());
        return new StoredFile(
                key,
                written.file().bytes(),
                written.rows(),
                written.file().sha256(),
                written.minTimestampNanos(),
                written.maxTimestampNanos(),
                written.firstSeq(),
                written.lastSeq(),
                rows.firstCommittedAtNanos(),
                rows.lastCommittedAtNanos(),
                cut.slots(),
                repeats(rows, order),
                through);
    }

    /** Some point's first row here found the point there already: it lies in an earlier file. */
    private static boolean repeats(BufferedRows rows, int[] order) {
        for (int i = 0; i < order.length; i++) {
            boolean first = i == 0
                    || !rows.sameSeries(order[i - 1], order[i])
                    || rows.time(order[i - 1]) != rows.time(order[i]);
            if (first && rows.isUpdate(order[i])) {
                return true;
            }
        }
        return false;
    }
}
