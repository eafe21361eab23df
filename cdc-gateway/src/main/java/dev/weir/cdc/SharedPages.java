package dev.weir.cdc;

import dev.weir.partition.feed.PartitionFeed;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Pages by way of the cache, for a reader that is behind. It holds no page between two calls, only where the page began: a reader that waits
 * for its socket keeps nothing alive. Where more than one page is before it, making the next one waits for its turn. One instance for one thread.
 */
final class SharedPages<K extends Record, P extends Page> implements PageSource<P> {
    private final PageCache<K, P> cache;
    private final K key;
    private final int pageBytes;
    private final CatchUpPace pace;
    private final Supplier<PageEncoder<P>> encoders;
    private final Map<Integer, Long> begun = new HashMap<>();
    /** Events of the last page of each partition in which the reader is behind. */
    private final Map<Integer, Long> behind = new HashMap<>();

    private CatchUpPace.@Nullable Turn turn;

    /**
     * @param key what readers must have in common to share pages
     * @param encoders makes one for each page, which other threads may wait for
     */
    SharedPages(PageCache<K, P> cache, K key, int pageBytes, CatchUpPace pace, Supplier<PageEncoder<P>> encoders) {
        this.cache = cache;
        this.key = key;
        this.pageBytes = pageBytes;
        this.pace = pace;
        this.encoders = encoders;
    }

    @Override
    public P page(PartitionFeed feed, int partition, long seq) throws IOException {
        Long from = begun.get(partition);
        if (from != null && from < seq) {
            P page = cache.peek(new PageCache.Key<>(key, partition, from));
            if (page != null && page.nextSeq() > seq && page.servesFrom(seq)) {
                return page;
            }
        }
        begun.put(partition, seq);
        PageCache.Key<K> place = new PageCache.Key<>(key, partition, seq);
        P page = cache.page(place, () -> awaitTurn(partition), () -> make(feed, partition, seq));
        long taken = page.nextSeq() - seq;
        if (feed.nextSeq() - page.nextSeq() > taken) {
            behind.put(partition, taken);
        } else {
            behind.remove(partition);
        }
        return page;
    }

    private P make(PartitionFeed feed, int partition, long seq) throws IOException {
        long from = System.nanoTime();
        P page = encoders.get().encode(partition, seq, feed.read(seq, pageBytes));
        CatchUpPace.Turn mine = turn;
        if (mine != null) {
            pace.made(mine, System.nanoTime() - from, page.nextSeq() - seq);
        }
        return page;
    }

    private void awaitTurn(int partition) throws InterruptedIOException {
        turn = null;
        Long events = behind.get(partition);
        if (events == null) {
            return;
        }
        try {
            turn = pace.await(events);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a page waited for its turn");
        }
    }
}
