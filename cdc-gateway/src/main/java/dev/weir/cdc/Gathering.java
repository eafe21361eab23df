package dev.weir.cdc;

import dev.weir.partition.feed.PartitionFeed;
import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Says when events that are there are to be sent: once there are enough for a batch, or the first of them has waited long enough. They wait in the log;
 * nothing is held for them. Those that the filter will leave out are counted too. Used by one thread.
 */
final class Gathering {
    private final int rowsMax;
    private final long waitNanos;
    private boolean waits;
    private long since;
    /** Where the logs stood when the wait was over: up to there is read without another. */
    private @Nullable Position released;

    Gathering(int rowsMax, Duration wait) {
        this.rowsMax = rowsMax;
        this.waitNanos = wait.toNanos();
    }

    /** What may not wait in the log is not gathered there either. */
    static Gathering of(ArrowOptions options, Delivery delivery) {
        int rows = delivery.drops() ? Math.min(options.rowsMax(), delivery.queueEvents()) : options.rowsMax();
        return new Gathering(rows, options.waitMax());
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
        if (released != null) {
            if (!reached(at, released, feeds)) {
                return 0;
            }
            released = null;
            waits = false;
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
        long rest = pending >= rowsMax ? 0 : since + waitNanos - now;
        if (rest <= 0) {
            released = heads(at, feeds);
        }
        return rest;
    }

    private static Position heads(Position at, FeedSet feeds) {
        SortedMap<Integer, Long> heads = new TreeMap<>();
        for (int i = 0; i < at.size(); i++) {
            PartitionFeed feed = feeds.feed(at.partitionAt(i));
            heads.put(at.partitionAt(i), feed == null ? at.nextAt(i) : feed.nextSeq());
        }
        return Position.of(heads);
    }

    /** A partition that can't be read now, or whose replica is behind, is not waited for. */
    private static boolean reached(Position at, Position heads, FeedSet feeds) {
        for (int i = 0; i < at.size(); i++) {
            long next = at.nextAt(i);
            if (next < heads.next(at.partitionAt(i))) {
                PartitionFeed feed = feeds.feed(at.partitionAt(i));
                if (feed != null && feed.nextSeq() > next) {
                    return false;
                }
            }
        }
        return true;
    }
}
