package dev.weir.cdc;

import dev.weir.partition.feed.PartitionFeed;
import java.io.IOException;

/** Where a merge gets encoded pages from. */
interface PageSource<P extends Page> {
    /** A page that holds the seq; one without events before {@link Page#nextSeq} may be empty. Blocks. */
    P page(PartitionFeed feed, int partition, long seq) throws IOException;
}
