package dev.weir.partition.engine;

import dev.weir.partition.entry.MovedSegment;
import dev.weir.wal.segment.SegmentFile;
import dev.weir.wal.segment.SegmentLog;
import dev.weir.wal.segment.SegmentRecord;
import dev.weir.wal.segment.SeqTrimmedException;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The whole history of a replica, as its readers see it: what was moved to the store, and behind it the change segments here.
 *
 * <p>Threading: apply tells what was moved before it lets segments go, so whoever misses something here finds it there; any thread reads. Reads block on the disk, and on
 * the store for what was moved.
 */
final class ReplicaHistory {
    private final Supplier<SegmentLog> log;
    private final MovedSegments store;
    private volatile MovedHistory moved;

    /** @param log the segments here, now */
    ReplicaHistory(Supplier<SegmentLog> log, MovedHistory moved, MovedSegments store) {
        this.log = log;
        this.moved = moved;
        this.store = store;
    }

    /** As of an entry. Called by the apply thread. */
    void moved(MovedHistory now) {
        moved = now;
    }

    MovedHistory moved() {
        return moved;
    }

    long oldestSeq() {
        // In this order: what goes here later was moved before.
        long here = log.get().oldestSeq();
        MovedHistory now = moved;
        return now.isEmpty() ? here : now.oldestSeq();
    }

    /** As {@link SegmentLog#read}; fails too where a segment can't be had from the store now. */
    List<SegmentRecord> read(long fromSeq, int maxBytes) throws IOException {
        try {
            return log.get().read(fromSeq, maxBytes);
        } catch (SeqTrimmedException e) {
            MovedSegment segment = moved.holding(fromSeq);
            if (segment == null) {
                throw new SeqTrimmedException(fromSeq, oldestSeq());
            }
            return store.read(segment, fromSeq, maxBytes);
        }
    }

    /** The segment of an event that is not here any more; null where it is, or is nowhere. */
    @Nullable
    MovedSegment onlyInStore(long seq) {
        return seq < log.get().oldestSeq() ? moved.holding(seq) : null;
    }

    /** As {@link SegmentLog#seekTime}. */
    long seekTime(long committedAtNanos) throws IOException {
        while (true) {
            MovedHistory now = moved;
            for (MovedSegment segment : now.segments()) {
                if (segment.lastCommittedAtNanos() >= committedAtNanos) {
                    return segment.firstCommittedAtNanos() >= committedAtNanos
                            ? segment.firstSeq()
                            : store.seekTime(segment, committedAtNanos);
                }
            }
            long found = log.get().seekTime(committedAtNanos);
            if (now.equals(moved)) {
                return found;
            }
        }
    }

    /** Bytes from an event to the end; those of its own segment in proportion. */
    long bytesFrom(long seq) {
        while (true) {
            MovedHistory now = moved;
            double bytes = 0;
            for (MovedSegment segment : now.segments()) {
                bytes += MovedHistory.share(segment.firstSeq(), segment.nextSeq(), segment.bytes(), seq);
            }
            for (SegmentFile segment : log.get().segments()) {
                bytes += now.bytesBehind(segment, seq);
            }
            if (now.equals(moved)) {
                return Math.round(bytes);
            }
        }
    }
}
