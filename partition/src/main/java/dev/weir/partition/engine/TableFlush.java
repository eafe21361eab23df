package dev.weir.partition.engine;

import dev.weir.partition.entry.Section.FlushSection;
import dev.weir.partition.entry.StoredFile;
import dev.weir.partition.file.MergeRows;
import dev.weir.partition.file.RowSource;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.store.StoreException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
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
    private final UnaryOperator<TableSchema> newest;
    private final FileOutput output;

    /** @param newest gives the newest schema of the table whose schema here is given */
    TableFlush(int partition, OpenReplica replica, UnaryOperator<TableSchema> newest, FileOutput output) {
        this.partition = partition;
        this.replica = replica;
        this.newest = newest;
        this.output = output;
    }

    /**
     * Null where the table has nothing to flush.
     *
     * @param term in which this replica leads
     */
    @Nullable
    FlushSection write(int tableId, long term) throws IOException, StoreException, InterruptedException {
        TableCut cut = replica.cut(tableId)
                .map(here -> here.under(newest.apply(here.schema())))
                .orElse(null);
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
            write(rows, day, cut, deletes, through).ifPresent(files::add);
        }
        return new FlushSection(tableId, cut.files().flushedThrough(), through, files, term);
    }

    /** Empty where deletes took all of the day's rows. */
    private Optional<StoredFile> write(BufferedRows rows, long day, TableCut cut, DeleteRules deletes, long through)
            throws IOException, StoreException, InterruptedException {
        TableSchema schema = cut.schema();
        int[] order = rows.inFileOrder(day);
        FileOutput.Range range = new FileOutput.Range(
                partition,
                cut.files().flushedThrough() + 1,
                through,
                rows.firstCommittedAtNanos(),
                rows.lastCommittedAtNanos(),
                through);
        try (RowSource merged = new MergeRows(schema, List.of(new BufferSource(rows, order, schema)), deletes)) {
            return output.write(merged, cut, range, repeats(rows, order));
        }
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
