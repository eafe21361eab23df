package dev.weir.cdc;

import dev.weir.partition.feed.PartitionFeed;
import dev.weir.partition.store.StoreException;
import dev.weir.wal.segment.SeqTrimmedException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads the partitions of a stream in turn, a page of each. Knows where to read, not what was read: the caller owns the position. */
final class MergeReader<P extends Page> {
    private final FeedSet feeds;
    private final PageSource<P> pages;
    private int turn;

    MergeReader(FeedSet feeds, PageSource<P> pages) {
        this.feeds = feeds;
        this.pages = pages;
    }

    /**
     * The page of the next partition that has events after the position; null when none has.
     *
     * @param limit reads no partition that stands there already; over the same partitions as {@code at}; null for none
     * @throws LostException retention was faster
     */
    @Nullable
    P nextPage(Position at, @Nullable Position limit) throws LostException {
        for (int i = 0; i < at.size(); i++) {
            int index = (turn + i) % at.size();
            long from = at.nextAt(index);
            if (limit != null && from >= limit.nextAt(index)) {
                continue;
            }
            P page = read(at.partitionAt(index), from);
            if (page != null) {
                turn = index + 1;
                return page;
            }
        }
        return null;
    }

    /** @throws LostException a partition's oldest event is past the position */
    void checkKept(Position at) throws LostException {
        for (int i = 0; i < at.size(); i++) {
            PartitionFeed feed = feeds.feed(at.partitionAt(i));
            // Asked often: where a feed elsewhere does not know yet that it was cut, the next page says so.
            if (feed == null || at.nextAt(i) >= feed.oldestSeq()) {
                continue;
            }
            try {
                KeptLog.check(feed, at.nextAt(i));
            } catch (IOException e) {
                feeds.failed(at.partitionAt(i));
            }
        }
    }

    private @Nullable P read(int partition, long from) throws LostException {
        PartitionFeed feed = feeds.feed(partition);
        if (feed == null || feed.nextSeq() <= from) {
            return null;
        }
        try {
            P page = pages.page(feed, partition, from);
            return page.nextSeq() > from ? page : null;
        } catch (SeqTrimmedException e) {
            if (e.oldestSeq() <= from) {
                // It is kept by what the replica says itself, which does not have it: another may.
                feeds.failed(partition);
                return null;
            }
            throw new LostException(partition, from, e.oldestSeq());
        } catch (StoreException e) {
            // The replica is well: others have its turns meanwhile.
            feeds.waits(partition);
            return null;
        } catch (IOException e) {
            // The replica has gone or its disk fails: another may have it.
            feeds.failed(partition);
            return null;
        }
    }
}
