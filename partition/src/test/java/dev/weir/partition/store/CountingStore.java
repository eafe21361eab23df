package dev.weir.partition.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A store in memory that counts downloads and can hold them up. */
final class CountingStore implements ObjectStore {
    final Map<String, byte[]> objects = new ConcurrentHashMap<>();
    final AtomicInteger downloads = new AtomicInteger();
    volatile CountDownLatch gate = new CountDownLatch(0);

    @Override
    public long download(String key, Path target) throws StoreException, InterruptedException {
        downloads.incrementAndGet();
        gate.await();
        byte[] bytes = objects.get(key);
        if (bytes == null) {
            throw new StoreException(StoreException.Kind.NOT_FOUND, key);
        }
        try {
            Files.write(target, bytes);
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.FULL, key, e);
        }
        return bytes.length;
    }

    @Override
    public Optional<Path> localPath(String key) {
        return Optional.empty();
    }

    @Override
    public String url() {
        return "memory:";
    }

    @Override
    public Put put(String key, LocalFile file) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int read(String key, long offset, ByteBuffer target) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<ObjectEntry> stat(String key) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<ObjectEntry> list(String prefix, String after, int max) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void delete(String key) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int sweepUnfinished(Instant before) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void probe() {
        throw new UnsupportedOperationException();
    }

    @Override
    public StoreMetrics metrics() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
}
