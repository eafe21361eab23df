package dev.weir.cdc;

import dev.weir.partition.feed.FeedPage;

/** Encodes what was read from a partition. One instance for one thread. */
@FunctionalInterface
interface PageEncoder<P extends Page> {
    /** @param fromSeq events before it, at the page's start, are left out */
    P encode(int partition, long fromSeq, FeedPage page);
}
