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
final class PageCache<K extends Record, P extends Page> {
    private final long bytesMax;
    private final Semaphore loads;
    private final LinkedHashMap<Key<K>, CompletableFuture<P>> pages = new LinkedHashMap<>(64, 0.75f, true);
    private long bytes;

    /** @param form what readers have in common that share pages */
    record Key<K extends Record>(K form, int partition, long fromSeq) {}

    /** Waits until a page may be made. */
    @FunctionalInterface
    interface Turn {
        void await() throws IOException;
    }

    /** Makes a page that is not there. */
    @FunctionalInterface
    interface Loader<P extends Page> {
        P load() throws IOException;
    }

    PageCache(long bytesMax, int loadsMax) {
        this.bytesMax = bytesMax;
        this.loads = new Semaphore(loadsMax);
    }

    /** @param turn what whoever has to make it waits for first; the others then wait for the page */
    P page(Key<K> key, Turn turn, Loader<P> loader) throws IOException {
        CompletableFuture<P> mine = new CompletableFuture<>();
        CompletableFuture<P> known;
        synchronized (pages) {
            known = pages.putIfAbsent(key, mine);
        }
        if (known != null) {
            return await(known);
        }
        try {
            turn.await();
            P page = load(loader);
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
    P peek(Key<K> key) {
        synchronized (pages) {
            CompletableFuture<P> known = pages.get(key);
            return known != null && known.isDone() && !known.isCompletedExceptionally() ? known.join() : null;
        }
    }

    long bytes() {
        synchronized (pages) {
            return bytes;
        }
    }

    private P load(Loader<P> loader) throws IOException {
        loads.acquireUninterruptibly();
        try {
            return loader.load();
        } finally {
            loads.release();
        }
    }

    private void keep(Key<K> key, P page) {
        synchronized (pages) {
            if (page.nextSeq() == key.fromSeq()) {
                pages.remove(key);
                return;
            }
            bytes += page.weight();
            Iterator<Map.Entry<Key<K>, CompletableFuture<P>>> oldest =
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

    private void forget(Key<K> key) {
        synchronized (pages) {
            pages.remove(key);
        }
    }

    private static <P extends Page> P await(CompletableFuture<P> page) throws IOException {
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
