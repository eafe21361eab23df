package dev.weir.partition.engine;

import dev.weir.partition.entry.StoredFile;
import dev.weir.partition.feed.PartitionFeed;
import dev.weir.partition.file.MergeRows;
import dev.weir.partition.file.RowBatch;
import dev.weir.partition.file.RowSource;
import dev.weir.partition.model.TableSchema;
import java.io.Closeable;
import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Rows of one table of a cut, UTC day by UTC day: files and what the log has behind them merged by series and time, the newest value of each field, deletes
 * applied. The same rows in the same order whoever reads them, and when. One thread; blocks on disk and store.
 *
 * <p>In memory are where the rows of the log are, and of the day that is read a batch and a row group of each file.
 */
public final class CutRows {
    private final PartitionCut cut;
    private final PartitionCut.Table table;
    private final FileRows files;
    private final BufferedRows tail;

    /**
     * Reads what the log has of the table behind its files.
     *
     * @param files reads data files
     * @param feed of the partition, from any replica
     * @throws dev.weir.wal.segment.SeqTrimmedException the log does not reach back any more
     */
    public CutRows(PartitionCut cut, PartitionCut.Table table, FileRows files, PartitionFeed feed) throws IOException {
        this.cut = cut;
        this.table = table;
        this.files = files;
        TableSchema schema = table.schema();
        this.tail = BufferedRows.read(feed, schema.tableId(), table.throughSeq(), cut.cutSeq());
    }

    /** Days since 1970 that may have rows, ascending. */
    public List<Long> days() {
        TreeSet<Long> days = new TreeSet<>(tail.days());
        table.files().forEach(file -> days.add(BufferedRows.dayOf(file.minTimestampNanos())));
        return List.copyOf(days);
    }

    /**
     * The rows of one day, from the first on.
     *
     * @throws DayTooLargeException they never can be read here
     */
    public Day open(long day) throws IOException {
        TableSchema schema = table.schema();
        List<RowSource> sources = new ArrayList<>();
        try {
            List<StoredFile> ofDay = table.files().stream()
                    .filter(file -> BufferedRows.dayOf(file.minTimestampNanos()) == day)
                    .toList();
            requireRoom(day, ofDay);
            for (StoredFile file : ofDay) {
                sources.add(files.open(file, schema, List.of()));
            }
            sources.add(new BufferSource(tail, tail.inFileOrder(day), schema));
            DeleteRules deletes = new DeleteRules(table.deletes(), cut.cutSeq() - 1);
            return new Day(cut.partition(), new MergeRows(schema, sources, deletes), new CommitTimes(ofDay, tail));
        } catch (IOException | RuntimeException e) {
            for (RowSource source : sources) {
                source.close();
            }
            throw e;
        }
    }

    private void requireRoom(long day, List<StoredFile> ofDay) throws IOException {
        if (!files.fits(ofDay)) {
            long bytes = ofDay.stream().mapToLong(StoredFile::bytes).sum();
            throw new DayTooLargeException("table " + table.schema().name() + ", " + LocalDate.ofEpochDay(day) + ": "
                    + ofDay.size() + " files of partition " + cut.partition() + " have " + bytes
                    + " bytes and are read together, which is more than cache.bytes-max");
        }
    }

    /** The rows of a day, to be read once. */
    public static final class Day implements Closeable {
        private final int partition;
        private final MergeRows merged;
        private final CommitTimes commits;
        private long row;

        private Day(int partition, MergeRows merged, CommitTimes commits) {
            this.partition = partition;
            this.merged = merged;
            this.commits = commits;
        }

        /** The next rows, at least one; null at the end. They are valid until the next call. */
        public @Nullable SurvivingRows next() throws IOException {
            RowBatch batch = merged.next();
            if (batch == null) {
                return null;
            }
            SurvivingRows rows = new SurvivingRows(partition, batch, commits, row);
            row += batch.rows();
            return rows;
        }

        @Override
        public void close() throws IOException {
            merged.close();
        }
    }
}
