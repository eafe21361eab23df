package dev.weir.partition.store;

import dev.weir.partition.store.StoreException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/** Finds out whether a store does what it must: one small object, put, put again with other bytes, read, listed, deleted. */
final class StoreProbe {
    static final String PREFIX = ".weir-probe/";

    private StoreProbe() {}

    static void run(ObjectStore store) throws StoreException, InterruptedException {
        String key = PREFIX + UUID.randomUUID();
        try {
            Path folder = Files.createTempDirectory("weir-probe");
            try {
                exercise(store, key, file(folder, "first " + key), file(folder, "other " + key));
            } finally {
                removeAll(folder);
            }
        } catch (StoreException e) {
            throw e;
        } catch (IOException e) {
            throw new StoreException(
                    Kind.FULL, "probe of " + store.url() + ": no temporary file: " + e.getMessage(), e);
        }
    }

    private static void exercise(ObjectStore store, String key, LocalFile first, LocalFile other)
            throws IOException, InterruptedException {
        store.put(key, first);
        try {
            expectRefusal(store, key, other);
            expectSame(store, key, first);
            List<ObjectEntry> listed = store.list(key, "", 1);
            if (listed.size() != 1 || listed.getFirst().bytes() != first.bytes()) {
                throw broken(store, "a listing does not show what was just put, found " + listed);
            }
        } finally {
            store.delete(key);
        }
    }

    private static void expectRefusal(ObjectStore store, String key, LocalFile other)
            throws StoreException, InterruptedException {
        try {
            store.put(key, other);
        } catch (StoreException e) {
            if (e.kind() == Kind.CONFLICT) {
                return;
            }
            throw e;
        }
        throw broken(store, "it replaced an object although told not to (If-None-Match: *)");
    }

    private static void expectSame(ObjectStore store, String key, LocalFile first)
            throws IOException, InterruptedException {
        ByteBuffer read = ByteBuffer.allocate((int) first.bytes() + 1);
        store.read(key, 0, read);
        if (!Arrays.equals(Arrays.copyOf(read.array(), read.position()), Files.readAllBytes(first.path()))) {
            throw broken(store, "reading gives other bytes than those put");
        }
    }

    private static StoreException broken(ObjectStore store, String what) {
        return new StoreException(Kind.INVALID, "probe of " + store.url() + ": the store can't be used: " + what);
    }

    private static LocalFile file(Path folder, String text) throws IOException {
        Path path = Files.createTempFile(folder, "probe", ".tmp");
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Files.write(path, bytes);
        return new LocalFile(path, bytes.length, Sha256.ofFile(path));
    }

    private static void removeAll(Path folder) throws IOException {
        try (var children = Files.newDirectoryStream(folder)) {
            for (Path child : children) {
                Files.delete(child);
            }
        }
        Files.delete(folder);
    }
}
