package dev.weir.partition.store;

import java.nio.file.Path;

/** Chooses the form of store that a configuration names. */
final class Stores {
    private Stores() {}

    static ObjectStore open(StoreConfig config) throws StoreException {
        return config.isFile() ? new FileStore(Path.of(config.url().getPath()), new DiskFiles()) : new S3Store(config);
    }
}
