package dev.weir.cdc;

import dev.weir.partition.feed.PartitionFeed;
import java.io.IOException;

/** Where a merge gets encoded pages from. */
interface PageSource {
    /** A page that holds the seq; one without events before {@link EncodedPage#nextSeq} may be empty. Blocks. */
    EncodedPage page(PartitionFeed feed, int partition, long seq) throws IOException;
}
