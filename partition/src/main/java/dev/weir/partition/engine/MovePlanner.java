package dev.weir.partition.engine;

import dev.weir.wal.segment.SegmentFile;
import dev.weir.wal.segment.SegmentLog;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Finds the segment that is to be moved to the store next: the oldest one here, where it is sealed, what is here has more bytes than it should, and no row is in the
 * log alone. Used by the leader, one call at a time; blocks on the disk.
 */
final class MovePlanner {
    private final OpenReplica replica;
    private final LiveRows liveRows;

    /**
     * What is moved next.
     *
     * @param fromSeq the segment's first, or a later one where the last move or a trim ended in it
     * @param begun else it must not be copied yet
     */
    record Move(SegmentFile segment, long fromSeq, boolean begun) {
        private boolean isEmpty() {
            return fromSeq >= segment.nextSeq();
        }
    }

    MovePlanner(OpenReplica replica) {
        this.replica = replica;
        this.liveRows = new LiveRows(replica);
    }

    OpenReplica replica() {
        return replica;
    }

    /**
     * @param localBytes {@code retention.local-bytes}
     * @param trimSeq events before it are about to go altogether: that is waited for
     */
    Optional<Move> plan(long localBytes, long trimSeq) throws IOException {
        // Read once, and first: what goes here meanwhile is refused where the move is applied.
        MovedHistory moved = replica.history().moved();
        SegmentLog log = replica.segments();
        List<SegmentFile> here = log.segments();
        if (log.bytes() <= localBytes || here.isEmpty()) {
            return Optional.empty();
        }
        SegmentFile oldest = here.getFirst();
        Move move = new Move(oldest, moved.nextSeq(oldest.firstSeq()), moved.isBegun());
        boolean stays = !oldest.sealed() || oldest.nextSeq() <= trimSeq || move.isEmpty() || liveRows.isIn(oldest);
        return stays ? Optional.empty() : Optional.of(move);
    }
}
