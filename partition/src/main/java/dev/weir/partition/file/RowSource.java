package dev.weir.partition.file;

import dev.weir.partition.model.TableSchema;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Rows of one table in the order of files: by series (canonical tags, compared as unsigned bytes), then by time, then by seq. Used by one
 * thread.
 */
public interface RowSource extends Closeable {
    /** The schema under which the batches' columns stand. */
    TableSchema schema();

    /**
     * The next rows, at least one, or null at the end. The batch is the source's own: it is valid until the next call, and read only.
     *
     * @throws java.nio.channels.ClosedByInterruptException or another IOException where it reads files
     */
    @Nullable
    RowBatch next() throws IOException;

    @Override
    void close() throws IOException;
}
