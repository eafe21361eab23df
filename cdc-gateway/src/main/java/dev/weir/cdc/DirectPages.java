package dev.weir.cdc;

import dev.weir.partition.feed.PartitionFeed;
import java.io.IOException;

/** Reads and encodes each page anew: for the newest events, of which every page is another. One instance for one thread. */
final class DirectPages implements PageSource<EncodedPage> {
    private final FrameEncoder encoder;
    private final int pageBytes;

    DirectPages(RunKey key, int pageBytes) {
        this.encoder = new FrameEncoder(key);
        this.pageBytes = pageBytes;
    }

    @Override
    public EncodedPage page(PartitionFeed feed, int partition, long seq) throws IOException {
        return encoder.encode(partition, seq, feed.read(seq, pageBytes));
    }
}
