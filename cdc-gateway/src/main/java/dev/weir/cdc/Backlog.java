package dev.weir.cdc;

import dev.weir.partition.feed.PartitionFeed;
import org.jspecify.annotations.Nullable;

/**
 * Says what a stream leaves out instead of falling further behind. Its queue is the log: nothing is held for it, and only what it left out moves its
 * position without being sent. So what it sent and its gaps together are all that was committed. Without state.
 */
final class Backlog {
    private final Delivery delivery;

    Backlog(Delivery delivery) {
        this.delivery = delivery;
    }

    /** Whether anything is left out at all. */
    boolean drops() {
        return delivery.drops();
    }

    /** The oldest events of a partition, where more wait than may; null where none has more. */
    @Nullable
    Gap excess(Position at, FeedSet feeds) {
        for (int i = 0; drops() && i < at.size(); i++) {
            int partition = at.partitionAt(i);
            PartitionFeed feed = feeds.feed(partition);
            long first = feed == null ? Long.MAX_VALUE : feed.nextSeq() - delivery.queueEvents();
            if (feed != null && first > at.nextAt(i)) {
                return new Gap(partition, at.nextAt(i), first - 1, Gap.Reason.SLOW);
            }
        }
        return null;
    }

    /** Whether so many are too many. To count them takes long: asked only where something {@link #drops}. */
    boolean isExceededBy(long events) {
        return drops() && events > delivery.queueEvents();
    }

    /**
     * What retention took, to be left out.
     *
     * @throws LostException nothing may be left out
     */
    Gap gap(LostException lost) throws LostException {
        if (!drops()) {
            throw lost;
        }
        return new Gap(lost.partition(), lost.wanted(), lost.oldest() - 1, Gap.Reason.RETENTION);
    }
}
