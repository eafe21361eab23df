package dev.weir.partition.store;

import dev.weir.partition.store.StoreException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * Objects as files below a folder: the key is the path.
 *
 * <p>An object appears by a hard link to a file that is already durable: the caller's, where it lies on the same file system, else a copy in
 * {@link #INCOMING}. Linking refuses a taken name, so of racing puts one wins, also between processes. Folders are synced from the object up
 * to the root before a put returns, also where the object was there already. After a crash at any step there is the whole object or none, and
 * at most a copy in {@link #INCOMING}, which {@link #sweepUnfinished} removes. Nothing is retried: a disk that fails seldom heals in seconds.
 */
final class FileStore implements ObjectStore {
    static final String INCOMING = ".weir-incoming";
    private static final int FOLDER_TRIES = 8;

    private final Path root;
    private final StoreFiles files;
    private final StoreMetrics metrics = new StoreMetrics();
    private final FileCalls calls;

    FileStore(Path root, StoreFiles files) throws StoreException {
        this.root = root.toAbsolutePath().normalize();
        this.files = files;
        this.calls = new FileCalls(url(), metrics);
        calls.setUp(() -> {
            Files.createDirectories(this.root.resolve(INCOMING));
            files.syncDirectory(this.root);
        });
    }

    @Override
    public Put put(String key, LocalFile file) throws StoreException, InterruptedException {
        Path target = path(key);
        return calls.run("put", key, () -> {
            expectFolders(key, file);
            Put put = Files.exists(target) ? Put.PRESENT : bringIn(file.path(), target);
            if (put == Put.PRESENT) {
                SameBytes.expect(key, file, Files.size(target), () -> Sha256.ofFile(target));
            }
            syncFolders(target);
            metrics.up(put == Put.STORED ? file.bytes() : 0);
            return put;
        });
    }

    @Override
    public int read(String key, long offset, ByteBuffer target) throws StoreException, InterruptedException {
        Path path = path(key);
        return calls.run("read", key, () -> {
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
                int from = target.position();
                long at = offset;
                while (target.hasRemaining()) {
                    int read = channel.read(target, at);
                    if (read < 0) {
                        break;
                    }
                    at += read;
                }
                metrics.down(at - offset);
                return target.position() - from;
            }
        });
    }

    @Override
    public long download(String key, Path target) throws StoreException, InterruptedException {
        Path path = path(key);
        return calls.run("download", key, () -> {
            try {
                files.copy(path, target);
            } catch (FileAlreadyExistsException e) {
                throw e;
            } catch (IOException e) {
                Files.deleteIfExists(target);
                throw e;
            }
            long bytes = Files.size(target);
            metrics.down(bytes);
            return bytes;
        });
    }

    @Override
    public Optional<ObjectEntry> stat(String key) throws StoreException, InterruptedException {
        Path path = path(key);
        return calls.run("stat", key, () -> {
            try {
                BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
                return found.isRegularFile()
                        ? Optional.of(new ObjectEntry(
                                key, found.size(), found.lastModifiedTime().toInstant()))
                        : Optional.empty();
            } catch (NoSuchFileException e) {
                return Optional.empty();
            }
        });
    }

    @Override
    public List<ObjectEntry> list(String prefix, String after, int max) throws StoreException, InterruptedException {
        ObjectKeys.checkPage(max);
        return calls.run("list", prefix, () -> new FolderListing(root, prefix, after, max).page());
    }

    @Override
    public void delete(String key) throws StoreException, InterruptedException {
        Path path = path(key);
        calls.run("delete", key, () -> {
            files.delete(path);
            removeEmptyFolders(path);
            return key;
        });
    }

    @Override
    public int sweepUnfinished(Instant before) throws StoreException, InterruptedException {
        return calls.run("sweep", INCOMING, () -> {
            int swept = 0;
            try (var children = Files.newDirectoryStream(root.resolve(INCOMING))) {
                for (Path child : children) {
                    if (Files.getLastModifiedTime(child).toInstant().isBefore(before)) {
                        files.delete(child);
                        swept++;
                    }
                }
            }
            return swept;
        });
    }

    @Override
    public void probe() throws StoreException, InterruptedException {
        StoreProbe.run(this);
    }

    @Override
    public Optional<Path> localPath(String key) throws StoreException {
        return Optional.of(path(key));
    }

    @Override
    public String url() {
        return "file:" + root;
    }

    @Override
    public StoreMetrics metrics() {
        return metrics;
    }

    @Override
    public void close() {
        calls.close();
    }

    private Path path(String key) throws StoreException {
        ObjectKeys.check(key);
        if (key.equals(INCOMING) || key.startsWith(INCOMING + "/")) {
            throw new StoreException(Kind.INVALID, "key '" + key + "': expected none below " + INCOMING);
        }
        return root.resolve(key);
    }

    private Put bringIn(Path source, Path target) throws IOException {
        files.sync(source);
        try {
            return linkInFolder(source, target);
        } catch (NoSuchFileException | FileAlreadyExistsException e) {
            throw e;
        } catch (IOException | UnsupportedOperationException otherFileSystem) {
            return copyIn(source, target);
        }
    }

    private Put copyIn(Path source, Path target) throws IOException {
        Path copy = root.resolve(INCOMING).resolve(UUID.randomUUID() + ".tmp");
        try {
            files.copy(source, copy);
            files.sync(copy);
            return linkInFolder(copy, target);
        } finally {
            files.delete(copy);
        }
    }

    /** A delete may remove a folder that it found empty between making it and linking. */
    private Put linkInFolder(Path source, Path target) throws IOException {
        for (int attempt = 1; ; attempt++) {
            createFolders(parent(target));
            try {
                files.link(source, target);
                return Put.STORED;
            } catch (FileAlreadyExistsException e) {
                return Put.PRESENT;
            } catch (NoSuchFileException e) {
                if (attempt == FOLDER_TRIES || !Files.exists(source)) {
                    throw e;
                }
            }
        }
    }

    /** Where the root is gone, a disk is not mounted, and another must not be filled. */
    private void expectFolders(String key, LocalFile file) throws IOException {
        if (!Files.isDirectory(root)) {
            throw new IOException("the store's folder is gone");
        }
        if (!Files.isRegularFile(file.path())) {
            throw new StoreException(Kind.INVALID, "put " + key + ": there is no local file " + file.path());
        }
    }

    private void createFolders(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            createFolders(parent(folder));
            files.createDirectory(folder);
        }
    }

    private void syncFolders(Path target) throws IOException {
        for (Path path = target; !path.equals(root); path = parent(path)) {
            files.syncDirectory(parent(path));
        }
    }

    private void removeEmptyFolders(Path target) throws IOException {
        for (Path folder = parent(target); !folder.equals(root); folder = parent(folder)) {
            if (Files.isDirectory(folder)) {
                try {
                    files.syncDirectory(folder);
                    files.delete(folder);
                } catch (java.nio.file.DirectoryNotEmptyException | NoSuchFileException inUse) {
                    return;
                }
            }
        }
        files.syncDirectory(root);
    }

    private static Path parent(Path path) {
        return Objects.requireNonNull(path.getParent(), "a path below the root has a parent");
    }
}
