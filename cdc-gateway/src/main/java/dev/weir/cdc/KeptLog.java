package dev.weir.cdc;

import dev.weir.partition.feed.PartitionFeed;
import dev.weir.wal.segment.SeqTrimmedException;
import java.io.IOException;

/**
 * How far back a log reaches. A replica that closes in this very moment may name any seq as its oldest, and a feed of another node one that is gone
 * meanwhile; what a read says is certain, and only on that a stream is called lost or a cursor too old. A seq is called the earliest on that too, but for a log here which begins with
 * the first seq of all: that needs no reading.
 */
final class KeptLog {
    private static final int ATTEMPTS = 5;

    private KeptLog() {}

    /** @throws IOException the replica can't say */
    static long oldest(PartitionFeed feed) throws IOException {
        for (int attempt = 0; attempt < ATTEMPTS && !feed.closed(); attempt++) {
            long named = feed.oldestSeq();
            if (named <= feed.firstSeq() && feed.isHere()) {
                return named;
            }
            try {
                feed.kept(Math.max(named - 1, feed.firstSeq()));
                if (named <= feed.firstSeq()) {
                    return named;
                }
            } catch (SeqTrimmedException e) {
                return e.oldestSeq();
            }
        }
        throw new IOException("the replica of partition " + feed.partition() + " does not stay open");
    }

    /** @throws LostException events from the seq on are gone for certain */
    static void check(PartitionFeed feed, long seq) throws LostException, IOException {
        if (feed.isHere() && seq >= feed.oldestSeq()) {
            return;
        }
        try {
            feed.kept(seq);
        } catch (SeqTrimmedException e) {
            throw new LostException(feed.partition(), seq, e.oldestSeq());
        }
    }
}
