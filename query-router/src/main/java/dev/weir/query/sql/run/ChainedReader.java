package dev.weir.query.sql.run;

import dev.weir.query.sql.image.ArrowBatches;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Sources of the same schema, one after the other. Each is opened when the one before it has ended and was closed, and shares its memory with this reader. Used by one
 * thread.
 */
final class ChainedReader extends ArrowReader {
    private final Iterator<ArrowBatches> rest;
    private @Nullable ArrowReader current;
    private @Nullable Schema schema;
    /** By those that have ended. */
    private long bytesBefore;

    /** @param sources one at least */
    ChainedReader(List<ArrowBatches> sources, BufferAllocator allocator) {
        super(allocator);
        this.rest = sources.iterator();
        this.current = rest.next().open(allocator);
    }

    @Override
    public boolean loadNextBatch() throws IOException {
        prepareLoadNextBatch();
        for (ArrowReader reader = current; reader != null; reader = next(reader)) {
            if (reader.loadNextBatch()) {
                try (ArrowRecordBatch batch = new VectorUnloader(reader.getVectorSchemaRoot()).getRecordBatch()) {
                    loadRecordBatch(batch);
                }
                return true;
            }
        }
        return false;
    }

    @Override
    public long bytesRead() {
        ArrowReader reader = current;
        return bytesBefore + (reader == null ? 0 : reader.bytesRead());
    }

    @Override
    protected void closeReadSource() throws IOException {
        ArrowReader reader = current;
        if (reader != null) {
            current = null;
            reader.close();
        }
    }

    /** Asked for before the first batch. */
    @Override
    protected Schema readSchema() throws IOException {
        Schema known = schema;
        if (known == null) {
            ArrowReader first = current;
            if (first == null) {
                throw new IOException("buffered rows: the reader is closed");
            }
            known = first.getVectorSchemaRoot().getSchema();
            schema = known;
        }
        return known;
    }

    private @Nullable ArrowReader next(ArrowReader ended) throws IOException {
        bytesBefore += ended.bytesRead();
        closeReadSource();
        if (!rest.hasNext()) {
            return null;
        }
        ArrowReader reader = rest.next().open(allocator);
        current = reader;
        requireAlike(reader.getVectorSchemaRoot().getSchema());
        return reader;
    }

    private void requireAlike(Schema found) throws IOException {
        if (!found.equals(readSchema())) {
            throw new IllegalStateException("buffered rows: expected the columns " + readSchema() + ", found " + found);
        }
    }
}
