package dev.weir.partition.file;

import dev.weir.partition.store.LocalFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import org.apache.parquet.hadoop.ParquetFileWriter;

/**
 * Writes a data file under a temporary path; {@link FileSchema} has the layout.
 *
 * <p>Rows come in file order, each (series, time) once, all of one UTC day and with seqs of the head's range: so put {@link MergeRows} before
 * it where rows may repeat. What breaks this is refused with {@link IllegalArgumentException}.
 *
 * <p>Memory is that of one row group ({@link FileLimits}), growing from a few KiB a column, and of one column's encoded page. Durability:
 * {@link #finish} has synced the file's bytes. Anything else, an exception or a crash included, leaves no file or a partial one without the
 * footer, which no reader takes. Used by one thread.
 */
public final class DataFileWriter implements Closeable {
    private static final int TRUNCATE_BYTES = 64;

    private final Path path;
    private final FileHead head;
    private final FileLimits limits;
    private final FileSchema schema;
    private final DigestFile file;
    private final ParquetFileWriter parquet;
    private final GroupWriter groups;
    private final GroupBuffer buffer;
    private final RowOrder order;
    private long rows;
    private boolean finished;

    private DataFileWriter(Path path, FileHead head, FileLimits limits, DigestFile file) throws IOException {
        this.path = path;
        this.head = head;
        this.limits = limits;
        this.file = file;
        this.schema = new FileSchema(head.schema());
        this.parquet = new ParquetFileWriter(
                file, schema.message(), ParquetFileWriter.Mode.CREATE, 0, 0, TRUNCATE_BYTES, TRUNCATE_BYTES, true);
        this.groups = new GroupWriter(schema, parquet, limits);
        this.buffer = new GroupBuffer(schema.fields());
        this.order = new RowOrder(head);
        parquet.start();
    }

    /**
     * @param path must not exist; its folder must
     * @throws java.nio.file.FileAlreadyExistsException it exists
     */
    public static DataFileWriter create(Path path, FileHead head, FileLimits limits) throws IOException {
        DigestFile file = new DigestFile(path);
        try {
            return new DataFileWriter(path, head, limits, file);
        } catch (IOException | RuntimeException e) {
            file.close();
            Files.deleteIfExists(path);
            throw e;
        }
    }

    /** Appends all rows of a batch under the head's schema. */
    public void append(RowBatch batch) throws IOException {
        append(batch, 0, batch.rows());
    }

    /** Appends rows {@code from} to {@code to} - 1 of a batch: where a day ends within. */
    public void append(RowBatch batch, int from, int to) throws IOException {
        if (!batch.schema().equals(head.schema())) {
            throw new IllegalArgumentException("data file: rows of " + batch.schema() + ", expected " + head.schema());
        }
        for (int run = 0; run < batch.runs(); run++) {
            int start = Math.max(from, batch.runStart(run));
            int end = Math.min(to, batch.runEnd(run));
            if (start < end) {
                appendRun(batch, run, start, end);
            }
        }
    }

    /** Rows so far. */
    public long rows() {
        return rows + buffer.rows();
    }

    /** Bytes so far, of rows that are still in memory about half of their raw size: enough to end a file near a wanted size. */
    public long bytes() {
        return file.written() + buffer.bytes() / 2;
    }

    /** @throws IllegalStateException there are no rows */
    public WrittenFile finish() throws IOException {
        if (rows() == 0) {
            throw new IllegalStateException("data file " + path + ": expected rows, found none");
        }
        writeGroup();
        LocalDate day = LocalDate.ofEpochDay(Math.floorDiv(order.minTime(), RowOrder.DAY_NANOS));
        parquet.end(FooterCodec.encode(head, schema, day));
        byte[] sha256 = file.finish();
        close(true);
        return new WrittenFile(
                new LocalFile(path, file.written(), sha256),
                rows,
                order.minTime(),
                order.maxTime(),
                order.minSeq(),
                order.maxSeq());
    }

    /** Without {@link #finish} before: gives up and removes the file. */
    @Override
    public void close() throws IOException {
        close(false);
    }

    private void close(boolean keep) throws IOException {
        if (finished) {
            return;
        }
        finished = true;
        groups.close();
        file.close();
        if (!keep) {
            parquet.abort();
            Files.deleteIfExists(path);
        }
    }

    private void appendRun(RowBatch batch, int run, int from, int to) throws IOException {
        if (order.isNewSeries(batch.runTags(run))) {
            groups.checkTags(batch.runTags(run));
        }
        order.check(batch, run, from, to);
        int at = from;
        while (at < to) {
            int end = Math.min(to, at + limits.groupRows() - buffer.rows());
            buffer.append(batch, run, at, end);
            at = end;
            if (buffer.rows() == limits.groupRows() || buffer.bytes() >= limits.groupBytes()) {
                writeGroup();
            }
        }
    }

    private void writeGroup() throws IOException {
        if (buffer.rows() > 0) {
            groups.write(buffer);
            rows += buffer.rows();
            buffer.clear();
        }
    }
}
