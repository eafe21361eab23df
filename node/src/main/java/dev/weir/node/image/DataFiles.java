package dev.weir.node.image;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.weir.partition.entry.StoredFile;
import dev.weir.partition.file.DataFileReader;
import dev.weir.partition.file.FileColumn;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.store.FileCache;
import dev.weir.partition.store.Pinned;
import dev.weir.partition.store.StoreException;
import dev.weir.query.sql.image.FileImage.SourceColumn;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

/** Data files on this node's disk while they are read, and what their footers say of their columns. Any thread; blocks. */
public final class DataFiles {
    /** Footers remembered, by digest; a few hundred bytes each. */
    private static final int FOOTERS_MAX = 20_000;

    private final FileCache cache;
    private final Cache<String, Footer> footers =
            Caffeine.newBuilder().maximumSize(FOOTERS_MAX).build();

    private final TenantFiles tenants = new TenantFiles();

    public DataFiles(FileCache cache) {
        this.cache = cache;
    }

    /**
     * What is used of a file's footer.
     *
     * @param wholeMicros no row has nanoseconds below a microsecond
     * @param columns id → what the file calls it
     */
    record Footer(boolean wholeMicros, Map<Integer, SourceColumn> columns) {}

    /** A file that stays until it is closed. */
    record Held(Pinned pinned, Footer footer) implements AutoCloseable {
        Path path() {
            return pinned.path();
        }

        @Override
        public void close() {
            pinned.close();
        }
    }

    /** Tenant → bytes of its files that are at hand here, having been read lately: in the cache, or where the store itself has local files. */
    public Map<String, Long> heldBytes() {
        return tenants.bytes(this::isAtHand);
    }

    private boolean isAtHand(StoredFile file) {
        try {
            return cache.holds(file.sha256())
                    || cache.store().localPath(file.key()).isPresent();
        } catch (StoreException e) {
            return false;
        }
    }

    /** @throws RefusedException the store does not give it */
    Held hold(StoredFile file, TableSchema schema) throws InterruptedException {
        Pinned pinned;
        try {
            pinned = cache.open(file);
            tenants.opened(schema.tenant(), file);
        } catch (StoreException e) {
            throw unavailable(file, e);
        }
        try {
            String digest = HexFormat.of().formatHex(file.sha256());
            Footer known = footers.getIfPresent(digest);
            if (known == null) {
                known = read(pinned.path(), schema);
                footers.put(digest, known);
            }
            return new Held(pinned, known);
        } catch (IOException e) {
            pinned.close();
            throw unavailable(file, e);
        }
    }

    private static Footer read(Path path, TableSchema schema) throws IOException {
        try (DataFileReader reader = DataFileReader.open(path, schema)) {
            Map<Integer, SourceColumn> columns = new HashMap<>();
            for (FileColumn column : reader.info().columns()) {
                columns.put(
                        column.column().id(),
                        new SourceColumn(column.name(), column.column().type()));
            }
            return new Footer(reader.wholeMicros(), Map.copyOf(columns));
        }
    }

    private static RefusedException unavailable(StoredFile file, IOException e) {
        return new RefusedException(
                Refusal.of(ErrorCode.STORE_UNAVAILABLE, "file " + file.key() + ": " + e.getMessage()));
    }
}
