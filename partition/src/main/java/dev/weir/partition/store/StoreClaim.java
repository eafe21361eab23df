package dev.weir.partition.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Makes sure that a store holds files of one cluster alone: two would take each other's files for files of nobody. The first to come leaves its id under
 * {@link #KEY}. Any thread; blocks on the store until it has been reached once.
 */
public final class StoreClaim {
    /** Object that holds the cluster's id. */
    public static final String KEY = ".weir-cluster/id";

    private final ObjectStore store;
    private final Path temporary;
    private final Supplier<String> clusterId;
    private volatile boolean ours;

    /**
     * @param temporary a folder on this node's disk
     * @param clusterId known by the time of the first {@link #require}
     */
    public StoreClaim(ObjectStore store, Path temporary, Supplier<String> clusterId) {
        this.store = store;
        this.temporary = temporary;
        this.clusterId = clusterId;
    }

    /** @throws StoreException {@link StoreException.Kind#INVALID} the store belongs to another cluster; else it can't be reached */
    public void require() throws IOException, StoreException, InterruptedException {
        if (ours) {
            return;
        }
        byte[] id = clusterId.get().getBytes(StandardCharsets.UTF_8);
        Path file = Files.write(temporary.resolve("claim-" + UUID.randomUUID()), id);
        try {
            store.put(KEY, new LocalFile(file, id.length, Sha256.start().digest(id)));
            ours = true;
        } catch (StoreException e) {
            throw e.kind() == StoreException.Kind.CONFLICT
                    ? new StoreException(
                            StoreException.Kind.INVALID,
                            "store " + store.url() + " holds files of another cluster than " + clusterId.get()
                                    + ": store.url needs a folder, or a bucket and prefix, of its own",
                            e)
                    : e;
        } finally {
            Files.deleteIfExists(file);
        }
    }
}
