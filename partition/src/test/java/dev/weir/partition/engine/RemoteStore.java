package dev.weir.partition.engine;

import dev.weir.partition.store.LocalFile;
import dev.weir.partition.store.ObjectEntry;
import dev.weir.partition.store.ObjectStore;
import dev.weir.partition.store.StoreConfig;
import dev.weir.partition.store.StoreException;
import dev.weir.partition.store.StoreMetrics;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A store whose objects are not files of this machine, which can be away, slow, or lose its answers. */
final class RemoteStore implements ObjectStore {
    private final ObjectStore objects;

    final AtomicInteger downloads = new AtomicInteger();
    volatile boolean away;
    volatile boolean losesAnswers;

    /** Downloads fail as no caller expects. */
    volatile boolean breaks;

    /** Runs once a file is about to be stored. */
    volatile Runnable beforePut = () -> {};

    /** Downloads wait for it. */
    volatile CountDownLatch gate = new CountDownLatch(0);

    RemoteStore(Path folder) throws StoreException {
        objects = ObjectStore.open(StoreConfig.folder(folder));
    }

    /** Keys that begin so. */
    List<String> keys(String prefix) throws StoreException, InterruptedException {
        return objects.list(prefix, "", 1000).stream().map(ObjectEntry::key).toList();
    }

    @Override
    public Put put(String key, LocalFile file) throws StoreException, InterruptedException {
        check("put " + key);
        beforePut.run();
        Put put = objects.put(key, file);
        if (losesAnswers) {
            throw new StoreException(StoreException.Kind.UNAVAILABLE, "put " + key + ": the answer is lost");
        }
        return put;
    }

    @Override
    public int read(String key, long offset, ByteBuffer target) throws StoreException, InterruptedException {
        check("read " + key);
        return objects.read(key, offset, target);
    }

    @Override
    public long download(String key, Path target) throws StoreException, InterruptedException {
        downloads.incrementAndGet();
        gate.await();
        if (breaks) {
            throw new LinkageError("download " + key);
        }
        check("download " + key);
        return objects.download(key, target);
    }

    @Override
    public Optional<ObjectEntry> stat(String key) throws StoreException, InterruptedException {
        check("stat " + key);
        return objects.stat(key);
    }

    @Override
    public List<ObjectEntry> list(String prefix, String after, int max) throws StoreException, InterruptedException {
        check("list " + prefix);
        return objects.list(prefix, after, max);
    }

    @Override
    public void delete(String key) throws StoreException, InterruptedException {
        check("delete " + key);
        objects.delete(key);
    }

    @Override
    public int sweepUnfinished(Instant before) throws StoreException, InterruptedException {
        return objects.sweepUnfinished(before);
    }

    @Override
    public void probe() throws StoreException, InterruptedException {
        objects.probe();
    }

    @Override
    public Optional<Path> localPath(String key) {
        return Optional.empty();
    }

    @Override
    public String url() {
        return "remote:";
    }

    @Override
    public StoreMetrics metrics() {
        return objects.metrics();
    }

    @Override
    public void close() {
        objects.close();
    }

    private void check(String what) throws StoreException {
        if (away) {
            throw new StoreException(StoreException.Kind.UNAVAILABLE, what + ": the store is away", new IOException());
        }
    }
}
