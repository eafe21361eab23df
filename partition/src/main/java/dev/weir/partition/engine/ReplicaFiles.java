package dev.weir.partition.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Serves a replica's durable files to another node ({@link ReplicaSource} is the other end). A transfer holds hard links to the files of one
 * manifest, so that neither a trim nor a newer snapshot takes them away meanwhile; on this replica, nothing waits for it.
 *
 * <p>Threading: any thread; blocks on the disk. The lock is held to open and close transfers, never while bytes are read.
 */
public final class ReplicaFiles {
    /** Transfers at a time; one more is refused. */
    public static final int TRANSFERS_MAX = 2;

    /** A transfer that nobody read from for so long is over. */
    public static final long IDLE_NANOS = 60_000_000_000L;

    private static final int LINK_ATTEMPTS = 5;
    private static final String PREFIX = "transfer-";

    private final Path directory;
    private final LongSupplier nanoTime;
    private final Map<Long, Transfer> transfers = new HashMap<>();
    private long lastId;

    /** @param id by which further requests name the transfer */
    public record Opened(long id, byte[] manifest) {}

    private static final class Transfer {
        private final Path folder;
        private final Map<String, Long> lengths;
        private volatile long lastUsed;

        private Transfer(Path folder, Map<String, Long> lengths, long now) {
            this.folder = folder;
            this.lengths = lengths;
            this.lastUsed = now;
        }
    }

    /** @param directory of the replica */
    ReplicaFiles(Path directory, LongSupplier nanoTime) {
        this.directory = directory;
        this.nanoTime = nanoTime;
    }

    /**
     * Begins a transfer of the newest durable snapshot.
     *
     * @throws IOException too many are under way, or the replica has no snapshot yet
     */
    public synchronized Opened open() throws IOException {
        closeIdle();
        if (transfers.size() >= TRANSFERS_MAX) {
            throw new IOException("replica in " + directory + ": " + transfers.size()
                    + " transfers are under way, at most " + TRANSFERS_MAX);
        }
        long id = ++lastId;
        Path folder = directory.resolve(PREFIX + id);
        removeFolder(folder);
        Files.createDirectory(folder);
        for (int attempt = 1; ; attempt++) {
            byte[] bytes = Files.readAllBytes(directory.resolve("manifest"));
            ReplicaManifest manifest = ManifestCodec.decode(bytes);
            try {
                transfers.put(id, new Transfer(folder, link(manifest, folder), nanoTime.getAsLong()));
                return new Opened(id, bytes);
            } catch (NoSuchFileException e) {
                // A newer snapshot has dropped a file since the manifest was read.
                if (attempt == LINK_ATTEMPTS) {
                    removeFolder(folder);
                    throw e;
                }
            }
        }
    }

    /** As {@link ReplicaSource.Transfer#read}; 0 at the file's end. */
    public int read(long id, String file, long offset, ByteBuffer target) throws IOException {
        Transfer transfer = transfer(id);
        Long length = transfer.lengths.get(file);
        if (length == null) {
            throw new IOException("transfer " + id + " has no file " + file);
        }
        transfer.lastUsed = nanoTime.getAsLong();
        ByteBuffer window = target.duplicate();
        window.limit(window.position() + (int) Math.min(window.remaining(), Math.max(0, length - offset)));
        int start = window.position();
        try (FileChannel channel = FileChannel.open(transfer.folder.resolve(file), StandardOpenOption.READ)) {
            while (window.hasRemaining() && channel.read(window, offset + window.position() - start) > 0) {}
        }
        target.position(window.position());
        return window.position() - start;
    }

    /** Ends a transfer; nothing where it is over. */
    public synchronized void close(long id) throws IOException {
        Transfer transfer = transfers.remove(id);
        if (transfer != null) {
            removeFolder(transfer.folder);
        }
    }

    /** Transfers under way. */
    public synchronized int transfers() {
        return transfers.size();
    }

    /** Removes what an earlier process has left. */
    synchronized void clean() throws IOException {
        transfers.clear();
        try (Stream<Path> entries = Files.list(directory)) {
            for (Path entry : entries.toList()) {
                if (String.valueOf(entry.getFileName()).startsWith(PREFIX)) {
                    removeFolder(entry);
                }
            }
        }
    }

    private synchronized Transfer transfer(long id) throws IOException {
        Transfer transfer = transfers.get(id);
        if (transfer == null) {
            throw new IOException("transfer " + id + " is over");
        }
        return transfer;
    }

    private Map<String, Long> link(ReplicaManifest manifest, Path folder) throws IOException {
        Map<String, Long> lengths = new HashMap<>();
        Path data = directory.resolve(manifest.folder());
        for (var file : manifest.segments().files()) {
            link(data.resolve(ReplicaFolder.SEGMENTS).resolve(file.name()), folder.resolve(file.name()));
            lengths.put(file.name(), file.bytes());
        }
        for (KeyManifest.KeyFile file : manifest.keys().files()) {
            link(data.resolve(ReplicaFolder.KEYS).resolve(file.name()), folder.resolve(file.name()));
            lengths.put(file.name(), file.bytes());
        }
        link(data.resolve(ReplicaFolder.DEFINITIONS), folder.resolve(ReplicaFolder.DEFINITIONS));
        lengths.put(ReplicaFolder.DEFINITIONS, manifest.definitions().bytes());
        return lengths;
    }

    private static void link(Path existing, Path link) throws IOException {
        Files.deleteIfExists(link);
        Files.createLink(link, existing);
    }

    private void closeIdle() throws IOException {
        long now = nanoTime.getAsLong();
        Iterator<Transfer> each = transfers.values().iterator();
        while (each.hasNext()) {
            Transfer transfer = each.next();
            if (now - transfer.lastUsed > IDLE_NANOS) {
                each.remove();
                removeFolder(transfer.folder);
            }
        }
    }

    private static void removeFolder(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> entries = Files.list(folder)) {
            for (Path entry : entries.toList()) {
                Files.delete(entry);
            }
        }
        Files.delete(folder);
    }
}
