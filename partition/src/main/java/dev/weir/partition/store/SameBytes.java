package dev.weir.partition.store;

import dev.weir.partition.store.StoreException.Kind;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;

/** Whether the object that has a key already is the file that was to be put. */
final class SameBytes {
    private SameBytes() {}

    interface Digest {
        byte[] get() throws IOException, InterruptedException;
    }

    /** @throws StoreException of kind CONFLICT: it is not */
    static void expect(String key, LocalFile file, long foundBytes, Digest found)
            throws IOException, InterruptedException {
        if (foundBytes != file.bytes()) {
            throw conflict(key, foundBytes + " bytes", file.bytes() + " bytes");
        }
        byte[] digest = found.get();
        if (!Arrays.equals(digest, file.sha256())) {
            throw conflict(key, "SHA-256 " + hex(digest), "SHA-256 " + hex(file.sha256()));
        }
    }

    private static StoreException conflict(String key, String found, String expected) {
        return new StoreException(
                Kind.CONFLICT,
                "put " + key + ": the key is taken by other bytes, found " + found + ", expected " + expected);
    }

    private static String hex(byte[] digest) {
        return HexFormat.of().formatHex(digest);
    }
}
