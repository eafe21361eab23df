package dev.weir.cdc;

import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Encoded pages that readers who are behind share: who reads at the same place under the same filter gets the same page, read and encoded once.
 * Bounded in bytes, least recently used out first; pages being made are bounded in number. Threading: any.
 */
final class PageCache {
    private final long bytesMax;
    private final Semaphore loads;
    private final LinkedHashMap<Key, CompletableFuture<EncodedPage>> pages = new LinkedHashMap<>(64, 0.75f, true);
    private long bytes;

    record Key(RunKey run, int partition, long fromSeq) {}

    /** Makes a page that is not there. */
    @FunctionalInterface
    interface Loader {
        EncodedPage load() throws IOException;
    }

    PageCache(long bytesMax, int loadsMax) {
        this.bytesMax = bytesMax;
        this.loads = new Semaphore(loadsMax);
    }

    EncodedPage page(Key key, Loader loader) throws IOException {
        CompletableFuture<EncodedPage> mine = new CompletableFuture<>();
        CompletableFuture<EncodedPage> known;
        synchronized (pages) {
            known = pages.putIfAbsent(key, mine);
        }
        if (known != null) {
            return await(known);
        }
        try {
            EncodedPage page = load(loader);
            keep(key, page);
            mine.complete(page);
            return page;
        } catch (IOException | RuntimeException | Error e) {
            forget(key);
            mine.completeExceptionally(e);
            throw e;
        }
    }

    /** A page that is there already; null else. */
    @Nullable
    EncodedPage peek(Key key) {
        synchronized (pages) {
            CompletableFuture<EncodedPage> known = pages.get(key);
            return known != null && known.isDone() && !known.isCompletedExceptionally() ? known.join() : null;
        }
    }

    long bytes() {
        synchronized (pages) {
            return bytes;
        }
    }

    private EncodedPage load(Loader loader) throws IOException {
        loads.acquireUninterruptibly();
        try {
            return loader.load();
        } finally {
            loads.release();
        }
    }

    private void keep(Key key, EncodedPage page) {
        synchronized (pages) {
            if (page.nextSeq() == key.fromSeq()) {
                pages.remove(key);
                return;
            }
            bytes += page.weight();
            Iterator<Map.Entry<Key, CompletableFuture<EncodedPage>>> oldest =
                    pages.entrySet().iterator();
            while (bytes > bytesMax && oldest.hasNext()) {
                var entry = oldest.next();
                if (entry.getValue().isDone() && !entry.getKey().equals(key)) {
                    bytes -= entry.getValue().join().weight();
                    oldest.remove();
                }
            }
        }
    }

    private void forget(Key key) {
        synchronized (pages) {
            pages.remove(key);
        }
    }

    private static EncodedPage await(CompletableFuture<EncodedPage> page) throws IOException {
        try {
            return page.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw new IllegalStateException("a page could not be encoded", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while a page was read", e);
        }
    }
}
