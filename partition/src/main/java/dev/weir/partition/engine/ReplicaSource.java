package dev.weir.partition.engine;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Fetches the files of a replica from another node. Implemented in node over internal HTTP; served there by {@link ReplicaFiles}.
 *
 * <p>Threading: a transfer is used by one thread, which may block.
 */
public interface ReplicaSource {
    /**
     * Begins a transfer.
     *
     * @throws IOException the node can't be reached, holds no such replica, or has too many transfers under way; trying again later may help
     */
    Transfer open(String nodeId, int partition, int generation) throws IOException;

    /** A consistent durable set of files, held at the source until closed (or not read from for a minute). */
    interface Transfer extends Closeable {
        /** The manifest that names the files. */
        byte[] manifest();

        /**
         * Reads into {@code target} from a file's {@code offset} on.
         *
         * @param file a name that the manifest holds
         * @return bytes read, at least 1 before the file's end
         */
        int read(String file, long offset, ByteBuffer target) throws IOException;
    }
}
