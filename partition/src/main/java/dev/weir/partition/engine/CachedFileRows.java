package dev.weir.partition.engine;

import dev.weir.partition.entry.StoredFile;
import dev.weir.partition.file.DataFileReader;
import dev.weir.partition.file.RowBatch;
import dev.weir.partition.file.RowSource;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import dev.weir.partition.store.FileCache;
import dev.weir.partition.store.Pinned;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of files of a store, by way of this node's cache. */
public final class CachedFileRows implements FileRows {
    private final FileCache cache;

    public CachedFileRows(FileCache cache) {
        this.cache = cache;
    }

    @Override
    public RowSource open(StoredFile file, TableSchema as, List<List<Tag>> series) throws IOException {
        Pinned pinned;
        try {
            pinned = cache.open(file);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("fetching " + file.key());
        }
        try {
            return new PinnedRows(pinned, DataFileReader.open(pinned.path(), as, series));
        } catch (IOException | RuntimeException e) {
            pinned.close();
            throw e;
        }
    }

    @Override
    public boolean fits(List<StoredFile> together) throws IOException {
        return cache.fits(together);
    }

    /** Keeps the file until it is closed. */
    private record PinnedRows(Pinned pinned, RowSource rows) implements RowSource {
        @Override
        public TableSchema schema() {
            return rows.schema();
        }

        @Override
        public @Nullable RowBatch next() throws IOException {
            return rows.next();
        }

        @Override
        public void close() throws IOException {
            try {
                rows.close();
            } finally {
                pinned.close();
            }
        }
    }
}
