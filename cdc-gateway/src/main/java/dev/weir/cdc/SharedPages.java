package dev.weir.cdc;

import dev.weir.partition.feed.PartitionFeed;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Pages by way of the cache, for a reader that is behind. It holds no page between two calls, only where the page began: a reader that waits
 * for its socket keeps nothing alive. One instance for one thread.
 */
final class SharedPages<K extends Record, P extends Page> implements PageSource<P> {
    private final PageCache<K, P> cache;
    private final K key;
    private final int pageBytes;
    private final Supplier<PageEncoder<P>> encoders;
    private final Map<Integer, Long> begun = new HashMap<>();

    /**
     * @param key what readers must have in common to share pages
     * @param encoders makes one for each page, which other threads may wait for
     */
    SharedPages(PageCache<K, P> cache, K key, int pageBytes, Supplier<PageEncoder<P>> encoders) {
        this.cache = cache;
        this.key = key;
        this.pageBytes = pageBytes;
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
        return cache.page(
                new PageCache.Key<>(key, partition, seq),
                () -> encoders.get().encode(partition, seq, feed.read(seq, pageBytes)));
    }
}
