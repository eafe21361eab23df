package dev.weir.partition.store;

import dev.weir.partition.entry.StoredFile;
import dev.weir.partition.store.StoreException.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files of an object store on this machine's disk, named by their SHA-256, within a bound of bytes.
 *
 * <p>A file is fetched once however many ask for it at a time, its digest is checked before anybody sees it, and it stays while it is in use.
 * What the folder holds survives a restart; the first to open a file thereafter checks its digest again, so nothing needs an fsync. Where the
 * store has its objects as local files, those are handed out, and nothing is kept twice.
 *
 * <p>Threading: any thread; {@link #open} blocks, and an interrupt ends it. One process owns the folder.
 */
public final class FileCache implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FileCache.class);
    private static final String SUFFIX = ".parquet";
    private static final String PART_SUFFIX = ".part";
    private static final int DIGEST_CHARS = 64;

    private final Path folder;
    private final long bytesMax;
    private final ObjectStore store;
    private final CacheIndex index;
    /** Guards the index, the counters, and that a file is removed only while its entry is gone. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition changed = lock.newCondition();
    private long parts;
    private long hits;
    private long misses;
    private long evictions;
    private long refused;

    /** What is asked for. */
    private record Wanted(String key, long bytes, byte[] sha256) {}

    private FileCache(Path folder, long bytesMax, ObjectStore store) {
        this.folder = folder;
        this.bytesMax = bytesMax;
        this.store = store;
        this.index = new CacheIndex(bytesMax);
    }

    /**
     * Opens a folder, made if it is missing, and takes what is in it.
     *
     * @param bytesMax {@code cache.bytes-max}: files on disk together, at least 1
     */
    public static FileCache open(Path folder, long bytesMax, ObjectStore store) throws IOException {
        if (bytesMax < 1) {
            throw new IllegalArgumentException("cache.bytes-max: expected at least 1, found " + bytesMax);
        }
        Files.createDirectories(folder);
        FileCache cache = new FileCache(folder, bytesMax, store);
        cache.takeOver();
        return cache;
    }

    /** Whether these can be open at once, where nobody else has any open. */
    public boolean fits(List<StoredFile> files) throws StoreException {
        long bytes = 0;
        for (StoredFile file : files) {
            bytes += store.localPath(file.key()).isPresent() ? 0 : file.bytes();
        }
        return bytes <= bytesMax;
    }

    /**
     * A file, fetched if it is not here. Close what this returns when done.
     *
     * @throws StoreException what fetching threw; {@link Kind#FULL} the files in use leave no room; {@link Kind#CORRUPT} the store has other
     *     bytes than the manifest names
     */
    public Pinned open(StoredFile file) throws StoreException, InterruptedException {
        return open(file.key(), file.bytes(), file.sha256());
    }

    /** Any object, as {@link #open(StoredFile)}. */
    public Pinned open(String key, long bytes, byte[] sha256) throws StoreException, InterruptedException {
        Wanted wanted = new Wanted(key, bytes, sha256);
        Path local = store.localPath(key).orElse(null);
        return local == null ? openCached(wanted) : openLocal(wanted, local);
    }

    /** The store whose files are kept. */
    public ObjectStore store() {
        return store;
    }

    /** Whether a file is here, for hints to others. */
    public boolean holds(byte[] sha256) {
        lock.lock();
        try {
            CacheIndex.Entry entry = index.find(HexFormat.of().formatHex(sha256));
            return entry != null && entry.isReady;
        } finally {
            lock.unlock();
        }
    }

    public CacheStats stats() {
        lock.lock();
        try {
            return new CacheStats(
                    index.bytes(), bytesMax, index.files(), index.pinnedBytes(), hits, misses, evictions, refused);
        } finally {
            lock.unlock();
        }
    }

    /** Does nothing to the files: they are for the next process. */
    @Override
    public void close() {}

    private Pinned openLocal(Wanted file, Path local) throws StoreException {
        try {
            long found = Files.size(local);
            if (found != file.bytes()) {
                throw new StoreException(
                        Kind.CORRUPT, file.key() + ": " + found + " bytes at " + local + ", expected " + file.bytes());
            }
            return new Pinned(local, () -> {});
        } catch (java.nio.file.NoSuchFileException e) {
            throw new StoreException(
                    Kind.NOT_FOUND, "open " + file.key() + " at " + store.url() + ": no such object", e);
        } catch (StoreException e) {
            throw e;
        } catch (IOException e) {
            throw new StoreException(
                    Kind.UNAVAILABLE, "open " + file.key() + " at " + local + ": " + e.getMessage(), e);
        }
    }

    private Pinned openCached(Wanted file) throws StoreException, InterruptedException {
        String name = HexFormat.of().formatHex(file.sha256());
        Claim claim = claim(file, name);
        CacheIndex.Entry entry = claim.entry();
        if (claim.isMine()) {
            boolean done = false;
            try {
                makeReady(file, entry);
                done = true;
            } finally {
                settle(entry, done);
            }
        }
        try {
            touch(name);
        } catch (RuntimeException e) {
            release(entry);
            throw e;
        }
        return new Pinned(path(name), () -> release(entry));
    }

    /** An entry, pinned; whoever has it as its own makes it ready while the others wait. */
    private record Claim(CacheIndex.Entry entry, boolean isMine) {}

    private Claim claim(Wanted file, String name) throws StoreException, InterruptedException {
        lock.lockInterruptibly();
        try {
            CacheIndex.Entry entry = index.find(name);
            while (entry != null && !entry.isReady) {
                changed.await();
                entry = index.find(name);
            }
            if (entry != null && entry.bytes != file.bytes()) {
                index.remove(entry);
                entry = null;
            }
            if (entry == null) {
                misses++;
                return new Claim(admit(file, name), true);
            }
            hits++;
            index.use(entry);
            boolean isMine = !entry.isChecked;
            entry.isReady = !isMine;
            return new Claim(entry, isMine);
        } finally {
            lock.unlock();
        }
    }

    private CacheIndex.Entry admit(Wanted file, String name) throws StoreException {
        List<CacheIndex.Entry> evicted = new ArrayList<>();
        CacheIndex.Entry entry = index.admit(name, file.bytes(), evicted);
        if (entry == null) {
            refused++;
            throw new StoreException(
                    Kind.FULL,
                    "cache: no room for " + file.key() + " of " + file.bytes() + " bytes, files in use have "
                            + index.pinnedBytes() + " of cache.bytes-max " + bytesMax);
        }
        evictions += evicted.size();
        evicted.forEach(this::drop);
        return entry;
    }

    private void makeReady(Wanted file, CacheIndex.Entry entry) throws StoreException, InterruptedException {
        Path path = path(entry.name);
        try {
            if (Files.exists(path) && Arrays.equals(Sha256.ofFile(path), file.sha256())) {
                return;
            }
            Path part = folder.resolve(entry.name + "-" + nextPart() + PART_SUFFIX);
            try {
                fetch(file, part);
                Files.move(part, path, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(part);
            }
        } catch (java.nio.channels.ClosedByInterruptException e) {
            Thread.interrupted();
            throw new InterruptedException("open " + file.key());
        } catch (StoreException e) {
            throw e;
        } catch (IOException e) {
            throw new StoreException(
                    Kind.FULL, "cache folder " + folder + ": " + file.key() + ": " + e.getMessage(), e);
        }
    }

    private void fetch(Wanted file, Path part) throws IOException, InterruptedException {
        long bytes = store.download(file.key(), part);
        byte[] found = bytes == file.bytes() ? Sha256.ofFile(part) : null;
        if (!Arrays.equals(found, file.sha256())) {
            throw new StoreException(
                    Kind.CORRUPT,
                    file.key() + " at " + store.url() + ": " + bytes + " bytes, SHA-256 " + hex(found) + ", expected "
                            + file.bytes() + " and " + hex(file.sha256()));
        }
    }

    /** The order of use, for the next process; the file of an entry that is pinned is there. */
    private void touch(String name) {
        try {
            Files.setLastModifiedTime(path(name), FileTime.fromMillis(System.currentTimeMillis()));
        } catch (IOException e) {
            throw new UncheckedIOException("cache folder " + folder + ": can't touch " + name, e);
        }
    }

    private void settle(CacheIndex.Entry entry, boolean done) {
        lock.lock();
        try {
            entry.isReady = done;
            entry.isChecked = done;
            if (!done) {
                index.unpin(entry);
                index.remove(entry);
                drop(entry);
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void release(CacheIndex.Entry entry) {
        lock.lock();
        try {
            index.unpin(entry);
        } finally {
            lock.unlock();
        }
    }

    private long nextPart() {
        lock.lock();
        try {
            return parts++;
        } finally {
            lock.unlock();
        }
    }

    /** Removes the file of an entry that is gone; one that can't be removed is found again at the next start. Others wait for what follows: it never fails. */
    private void drop(CacheIndex.Entry entry) {
        try {
            Files.deleteIfExists(path(entry.name));
        } catch (IOException e) {
            LOG.warn("cache folder {}: can't remove {}: {}", folder, entry.name, e.toString());
        }
    }

    private void takeOver() throws IOException {
        List<Found> found = new ArrayList<>();
        try (var children = Files.newDirectoryStream(folder)) {
            for (Path child : children) {
                String name = child.getFileName().toString();
                if (name.endsWith(PART_SUFFIX)) {
                    Files.delete(child);
                } else if (name.length() == DIGEST_CHARS + SUFFIX.length() && name.endsWith(SUFFIX)) {
                    found.add(new Found(
                            name.substring(0, DIGEST_CHARS), Files.size(child), Files.getLastModifiedTime(child)));
                }
            }
        }
        found.sort(Comparator.comparing(Found::usedAt));
        found.forEach(one -> index.found(one.name(), one.bytes()));
        index.shrink().forEach(this::drop);
    }

    private record Found(String name, long bytes, FileTime usedAt) {}

    private Path path(String name) {
        return folder.resolve(name + SUFFIX);
    }

    private static String hex(byte @Nullable [] digest) {
        return digest == null ? "not taken" : HexFormat.of().formatHex(digest);
    }
}
