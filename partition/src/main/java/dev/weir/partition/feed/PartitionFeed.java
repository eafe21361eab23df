package dev.weir.partition.feed;

import dev.weir.wal.segment.SeqTrimmedException;
import java.io.IOException;

/**
 * The change events of one partition, read from a local replica; replayable from any seq that is kept.
 *
 * <p>Only committed and applied events are visible. Threading: any thread; {@link #read} and {@link #seekTime} block on the disk, and for a while on the object store where
 * the oldest history is there (virtual threads).
 */
public interface PartitionFeed {
    int partition();

    /** Seq of the first event ever of this partition (1, or after a split its parents' last + 1). */
    long firstSeq();

    /** Oldest seq kept; moved by a log entry only, so it is the same on every replica that has applied it. */
    long oldestSeq();

    /** One past the last event applied here. */
    long nextSeq();

    /** Commit time of the last event applied here, ns; 0 when none. */
    long lastCommittedAtNanos();

    /**
     * The partition's resolved time as of what is applied here, ns: no later event has a commit time up to this one. 0 when nothing was applied. All events
     * up to it lie before a {@link #nextSeq} that is asked for afterwards.
     */
    long resolvedAtNanos();

    /**
     * @param maxBytes about how many bytes of encoded records to read; at least one record is
     * @throws SeqTrimmedException the seq is older than the log
     * @throws IOException the replica is closed, its disk fails, or what was moved to the store can't be had now: asking again may help
     */
    FeedPage read(long fromSeq, int maxBytes) throws IOException;

    /**
     * An event that is kept.
     *
     * @param head {@link #nextSeq} of now
     * @param committedAtNanos of the event, or an earlier one; 0 where there is no such event yet
     */
    record Kept(long head, long committedAtNanos) {}

    /**
     * Since when an event is kept, about. As {@link #read}, but what is in the store is not fetched for it: there it is the commit time of the first event of its segment.
     */
    default Kept kept(long seq) throws IOException {
        FeedPage page = read(seq, 1);
        long committedAt =
                page.batches().isEmpty() ? 0 : page.batches().getFirst().committedAtNanos();
        return new Kept(page.head(), committedAt);
    }

    /** Whether {@link #oldestSeq} and {@link #nextSeq} are of now; else they are as of the last read. */
    default boolean isHere() {
        return true;
    }

    /** The seq of the first event committed at or after a time; {@link #nextSeq()} where none is. */
    long seekTime(long committedAtNanos) throws IOException;

    /**
     * Bytes of the log from an event to its end; those of the event's own segment in proportion.
     *
     * @param seq from {@link #oldestSeq} on; before, all that is kept is counted
     */
    long bytesFrom(long seq) throws IOException;

    /**
     * Calls back after events were applied (coalesced, from the apply thread: the callback only signals) and when the replica closes.
     *
     * @return closes the registration
     */
    AutoCloseable onAdvance(Runnable listener);

    /** The replica was closed or moved away; readers go on at another. */
    boolean closed();
}
