package dev.weir.partition.engine;

/**
 * What of a partition's history is in the object store, for status and metrics; values may be a moment old.
 *
 * @param movedSegments in the store
 * @param movedBytes of them
 * @param moves committed since the process started, as all that follow
 * @param voidMoves that another leader's had overtaken
 * @param moveFailures of this node, the next tries included
 */
public record HistoryStats(int movedSegments, long movedBytes, long moves, long voidMoves, long moveFailures) {
    static final HistoryStats CLOSED = new HistoryStats(0, 0, 0, 0, 0);

    static HistoryStats of(OpenReplica open, FoldCounters counters, long moveFailures) {
        MovedHistory moved = open.history().moved();
        return new HistoryStats(
                moved.segments().size(), moved.bytes(), counters.moves, counters.voidMoves, moveFailures);
    }
}
