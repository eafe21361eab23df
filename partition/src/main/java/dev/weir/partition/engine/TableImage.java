package dev.weir.partition.engine;

import dev.weir.partition.entry.StoredFile;
import dev.weir.partition.file.RowSource;
import dev.weir.partition.model.TableSchema;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One table in one partition at one point of its log: files, rows that no file holds, and the deletes to apply to both. Immutable; what it names in
 * the object store must be kept by who asked for it.
 */
public final class TableImage {
    private final TableSchema schema;
    private final FileSet files;
    private final RowPick pick;
    private final Source source;
    private final BufferedRows buffer;

    /** What an image holds. */
    enum Source {
        /** Files and buffered rows that may be asked for. */
        ALL,
        /** Nothing: no series has the tags that are asked for. */
        NO_SERIES,
        /** The newest row of each series, as its events wrote it, wherever else it may be. */
        NEWEST
    }

    TableImage(TableSchema schema, FileSet files, RowPick pick, Source source, BufferedRows buffer) {
        this.schema = schema;
        this.files = files;
        this.pick = pick;
        this.source = source;
        this.buffer = buffer;
    }

    /** The newest that the partition's log knows. */
    public TableSchema schema() {
        return schema;
    }

    /** Files that may hold rows that were asked for, in order of flush. */
    public List<StoredFile> files() {
        return source == Source.ALL ? inTime() : List.of();
    }

    /** How many files are left out because their times are. */
    public int filesOutOfTime() {
        return files.files().size() - inTime().size();
    }

    /** How many more are left out because no series of the partition has the tags. */
    public int filesWithoutSeries() {
        return source == Source.NO_SERIES ? inTime().size() : 0;
    }

    /** How many more are left out because the log has the newest row of each series. */
    public int filesOlderThanNewest() {
        return source == Source.NEWEST ? inTime().size() : 0;
    }

    private List<StoredFile> inTime() {
        return files.files().stream()
                .filter(file -> pick.overlaps(file.minTimestampNanos(), file.maxTimestampNanos()))
                .toList();
    }

    /** Deletes that files or buffered rows may not reflect. */
    public List<DeleteRule> deletes() {
        return files.deletes();
    }

    /** Rows that no file holds, or the newest ones. */
    public int bufferedRows() {
        return buffer.count();
    }

    /** Of the buffered rows; there is one at least. */
    public long minTimestampNanos() {
        return buffer.minTime();
    }

    public long maxTimestampNanos() {
        return buffer.maxTime();
    }

    /** Of the buffered rows, 0 where there are none. */
    public long maxSeq() {
        return buffer.count() == 0 ? 0 : buffer.seq(buffer.count() - 1);
    }

    /** Some buffered row's point may occur twice: among them or in a file. */
    public boolean repeats() {
        return buffer.hasUpdates();
    }

    /** The buffered rows as they were written, in order of seq, under a schema at least as new as {@link #schema}. */
    public RowSource rows(TableSchema under) {
        return new BufferSource(buffer, IntStream.range(0, buffer.count()).toArray(), under);
    }
}
