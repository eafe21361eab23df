package dev.weir.query.sql.run;

import dev.weir.query.sql.image.ArrowBatches;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/** Sources of the same schema, one after the other. Each is opened when the one before it has ended, and shares its memory with this reader. Used by one thread. */
final class ChainedReader extends ArrowReader {
    private final Iterator<ArrowBatches> rest;
    private final List<ArrowReader> opened = new ArrayList<>();
    private @Nullable ArrowReader current;

    /** @param sources one at least */
    ChainedReader(List<ArrowBatches> sources, BufferAllocator allocator) {
        super(allocator);
        this.rest = sources.iterator();
        this.current = next();
    }

    @Override
    public boolean loadNextBatch() throws IOException {
        prepareLoadNextBatch();
        while (current != null) {
            if (current.loadNextBatch()) {
                try (ArrowRecordBatch batch = new VectorUnloader(current.getVectorSchemaRoot()).getRecordBatch()) {
                    loadRecordBatch(batch);
                }
                return true;
            }
            current = rest.hasNext() ? alike(next()) : null;
        }
        return false;
    }

    @Override
    public long bytesRead() {
        return opened.stream().mapToLong(ArrowReader::bytesRead).sum();
    }

    @Override
    protected void closeReadSource() throws IOException {
        for (ArrowReader each : opened) {
            each.close();
        }
    }

    @Override
    protected Schema readSchema() throws IOException {
        return opened.getFirst().getVectorSchemaRoot().getSchema();
    }

    private ArrowReader next() {
        ArrowReader reader = rest.next().open(allocator);
        opened.add(reader);
        return reader;
    }

    private ArrowReader alike(ArrowReader reader) throws IOException {
        Schema found = reader.getVectorSchemaRoot().getSchema();
        if (!found.equals(readSchema())) {
            throw new IllegalStateException("buffered rows: expected the columns " + readSchema() + ", found " + found);
        }
        return reader;
    }
}
