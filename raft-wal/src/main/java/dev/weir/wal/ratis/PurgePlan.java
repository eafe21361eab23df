package dev.weir.wal.ratis;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How far the log may be cut although a member has not got all of it. A plain object; called by the apply thread only.
 *
 * <p>What every member has is cut by Ratis itself at each snapshot. For a member that lags, the log is kept until it lags by more than
 * {@code lagBytes} behind the newest snapshot; then it will need a snapshot. While a member is fetching one, the log is kept for
 * {@code installLagBytes}, so that it finds the entries after its snapshot still there and does not start over.
 */
final class PurgePlan {
    private record Mark(long index, long logBytes) {}

    private final long lagBytes;
    private final long installLagBytes;
    private final Deque<Mark> snapshots = new ArrayDeque<>();

    PurgePlan(long lagBytes, long installLagBytes) {
        this.lagBytes = lagBytes;
        this.installLagBytes = installLagBytes;
    }

    /**
     * A snapshot was taken.
     *
     * @param index the last entry that it covers
     * @param logBytes bytes of all entries up to there, counted from anywhere
     * @return the index up to which the log may go in any case, -1 for nothing
     */
    long snapshotTaken(long index, long logBytes, boolean installing) {
        snapshots.addLast(new Mark(index, logBytes));
        long keep = installing ? installLagBytes : lagBytes;
        long purge = -1;
        while (!snapshots.isEmpty() && logBytes - snapshots.getFirst().logBytes() >= keep) {
            purge = snapshots.removeFirst().index();
        }
        return purge;
    }
}
