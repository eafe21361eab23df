package dev.weir.partition.engine;

import dev.weir.partition.store.LocalFile;
import dev.weir.partition.store.ObjectStore;
import dev.weir.partition.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;

/** Cuts of partitions as objects in the store, for as long as a lease names them. Any thread; blocks on the store. */
public final class CutStore {
    /** What all keys of cuts begin with. */
    static final String PREFIX = ".weir-cluster/cuts/";

    /** Of a cut: some 200,000 files. */
    private static final long BYTES_MAX = 64 << 20;

    private static final int READ_BYTES = 1 << 20;

    private final ObjectStore store;
    private final Path temporary;

    /** @param temporary a folder on this node's disk */
    public CutStore(ObjectStore store, Path temporary) {
        this.store = store;
        this.temporary = temporary;
    }

    /** The lease that a key of {@link #PREFIX} belongs to; empty for other keys. */
    public static Optional<String> leaseOf(String key) {
        return key.startsWith(PREFIX) ? Optional.of(key.substring(key.lastIndexOf('-') + 1)) : Optional.empty();
    }

    void put(String leaseId, PartitionCut cut) throws IOException, StoreException, InterruptedException {
        byte[] bytes = PartitionCutCodec.encode(cut);
        if (bytes.length > BYTES_MAX) {
            throw new IOException("partition " + cut.partition() + ": the cut names so many files that it takes "
                    + bytes.length + " bytes, the limit is " + BYTES_MAX);
        }
        LocalFile file = LocalFile.write(temporary.resolve("cut-" + UUID.randomUUID()), bytes);
        try {
            store.put(key(leaseId, cut.partition()), file);
        } finally {
            Files.deleteIfExists(file.path());
        }
    }

    /**
     * @throws StoreException {@link StoreException.Kind#NOT_FOUND} no lease has it any more
     * @throws IOException it is damaged
     */
    public PartitionCut get(String leaseId, int partition) throws IOException, StoreException, InterruptedException {
        String key = key(leaseId, partition);
        byte[] bytes = new byte[0];
        while (bytes.length <= BYTES_MAX) {
            byte[] more = Arrays.copyOf(bytes, bytes.length + READ_BYTES);
            int read = store.read(key, bytes.length, ByteBuffer.wrap(more, bytes.length, READ_BYTES));
            bytes = Arrays.copyOf(more, bytes.length + read);
            if (read < READ_BYTES) {
                return PartitionCutCodec.decode(key, bytes);
            }
        }
        throw new IOException(key + ": expected at most " + BYTES_MAX + " bytes, found more");
    }

    private static String key(String leaseId, int partition) {
        return PREFIX + "p" + partition + "-" + leaseId;
    }
}
