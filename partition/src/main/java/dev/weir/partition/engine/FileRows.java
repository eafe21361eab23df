package dev.weir.partition.engine;

import dev.weir.partition.entry.StoredFile;
import dev.weir.partition.file.RowSource;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import java.io.IOException;
import java.util.List;

/** Reads rows of data files. Any thread; blocks on disk and store. */
public interface FileRows {
    /**
     * Rows of a file in its order: all of these series, and maybe others.
     *
     * @param as a schema of the file's table, not older than the file's
     * @throws dev.weir.partition.store.StoreException the store does not give it
     */
    RowSource open(StoredFile file, TableSchema as, List<List<Tag>> series) throws IOException;

    /** Whether these can ever be open at once. */
    default boolean fits(List<StoredFile> together) throws IOException {
        return true;
    }
}
