package dev.weir.cdc;

import dev.weir.partition.feed.PartitionFeed;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Pages for a reader that is far behind: while it takes one, the next of the same partition is made on another thread and waits in the cache. One page ahead
 * at most; none where the log has less than another page. For one reader.
 */
final class ReadAhead<P extends Page> implements PageSource<P> {
    private final PageSource<P> pages;
    private final PageSource<P> ahead;
    private final AtomicBoolean busy = new AtomicBoolean();
    /** Per partition the page that was begun last: a page is asked for again for each of its batches. */
    private final Map<Integer, Long> begun = new HashMap<>();

    /** @param ahead puts pages into the same cache; called on another thread, once at a time */
    ReadAhead(PageSource<P> pages, PageSource<P> ahead) {
        this.pages = pages;
        this.ahead = ahead;
    }

    @Override
    public P page(PartitionFeed feed, int partition, long seq) throws IOException {
        P page = pages.page(feed, partition, seq);
        long next = page.nextSeq();
        boolean isWanted =
                next > seq && feed.nextSeq() - next >= next - seq && !Objects.equals(begun.get(partition), next);
        if (isWanted && !busy.getAndSet(true)) {
            begun.put(partition, next);
            Thread.ofVirtual().name("cdc-read-ahead").start(() -> make(feed, partition, next));
        }
        return page;
    }

    private void make(PartitionFeed feed, int partition, long seq) {
        try {
            ahead.page(feed, partition, seq);
        } catch (IOException e) {
            // The reader comes there itself, and then knows what to do.
            return;
        } finally {
            busy.set(false);
        }
    }
}
