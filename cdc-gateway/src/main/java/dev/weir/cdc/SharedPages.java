package dev.weir.cdc;

import dev.weir.partition.feed.PartitionFeed;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Pages by way of the cache, for a reader that is behind. It holds no page between two calls, only where the page began: a reader that waits
 * for its socket keeps nothing alive. One instance for one thread.
 */
final class SharedPages implements PageSource {
    private final PageCache cache;
    private final RunKey key;
    private final int pageBytes;
    private final Map<Integer, Long> begun = new HashMap<>();

    SharedPages(PageCache cache, RunKey key, int pageBytes) {
        this.cache = cache;
        this.key = key;
        this.pageBytes = pageBytes;
    }

    @Override
    public EncodedPage page(PartitionFeed feed, int partition, long seq) throws IOException {
        Long from = begun.get(partition);
        if (from != null && from < seq) {
            EncodedPage page = cache.peek(new PageCache.Key(key, partition, from));
            if (page != null && page.nextSeq() > seq) {
                return page;
            }
        }
        begun.put(partition, seq);
        return cache.page(
                new PageCache.Key(key, partition, seq),
                () -> new FrameEncoder(key).encode(partition, seq, feed.read(seq, pageBytes)));
    }
}
