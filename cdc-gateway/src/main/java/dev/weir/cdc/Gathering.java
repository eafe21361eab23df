package dev.weir.cdc;

import dev.weir.partition.feed.PartitionFeed;
import java.time.Duration;

/**
 * Says when events that are there are to be sent: once there are enough for a batch, or the first of them has waited long enough. They wait in the log;
 * nothing is held for them. Those that the filter will leave out are counted too. Used by one thread.
 */
final class Gathering {
    private final int rowsMax;
    private final long waitNanos;
    private boolean waits;
    private long since;

    Gathering(int rowsMax, Duration wait) {
        this.rowsMax = rowsMax;
        this.waitNanos = wait.toNanos();
    }

    /**
     * How long a stream that stands there is to wait before it reads on, unless more comes; not positive: it reads now.
     *
     * @param now {@link System#nanoTime}
     */
    long waitNanos(Position at, FeedSet feeds, long now) {
        if (waitNanos == 0) {
            return 0;
        }
        long pending = 0;
        for (int i = 0; i < at.size() && pending < rowsMax; i++) {
            PartitionFeed feed = feeds.feed(at.partitionAt(i));
            pending += feed == null ? 0 : Math.max(0, feed.nextSeq() - at.nextAt(i));
        }
        if (pending == 0) {
            waits = false;
            return Long.MAX_VALUE / 4;
        }
        if (!waits) {
            waits = true;
            since = now;
        }
        return pending >= rowsMax ? 0 : since + waitNanos - now;
    }
}
