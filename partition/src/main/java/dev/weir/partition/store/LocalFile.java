package dev.weir.partition.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A finished file on this machine's disk.
 *
 * @param bytes its length
 * @param sha256 of its bytes, 32 bytes
 */
public record LocalFile(Path path, long bytes, byte[] sha256) {
    public LocalFile {
        if (bytes < 0 || sha256.length != 32) {
            throw new IllegalArgumentException("local file " + path + ": " + bytes + " bytes and a digest of "
                    + sha256.length + ", expected at least 0 and 32");
        }
    }

    /** A file that is there, read for its digest. */
    public static LocalFile of(Path path) throws IOException {
        return new LocalFile(path, Files.size(path), Sha256.ofFile(path));
    }

    /** A new file of these bytes. */
    public static LocalFile write(Path path, byte[] bytes) throws IOException {
        Files.write(path, bytes);
        return new LocalFile(path, bytes.length, Sha256.start().digest(bytes));
    }
}
