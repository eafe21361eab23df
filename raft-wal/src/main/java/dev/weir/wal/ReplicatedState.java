package dev.weir.wal;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What a replica folds its log into. Implemented by the partition engine and by the catalog; called by {@link LogHost}.
 *
 * <p>Threading: {@link #restore}, {@link #apply}, {@link #snapshot} and {@link #close} are never called at once; the log's apply
 * thread owns the state. {@link #leadership} comes from other threads.
 *
 * <p>An exception out of {@link #apply} or {@link #snapshot} halts the process: a replica that could drift must not go on. Only where
 * the disk is full (an {@link java.io.IOException} among the causes says so) the group is closed, and opened again once there is space:
 * {@link #restore} follows, whatever the state was left in.
 */
public interface ReplicatedState {
    /**
     * Loads the newest durable snapshot under {@code directory} (made if missing), discarding what lies beyond it. Called once when the
     * group opens, again after {@link #install} and after a failed log was reopened.
     *
     * @return the position of that snapshot; the log replays everything after it
     */
    LogPosition restore(Path directory);

    /**
     * Folds one committed entry. Must depend on the state and the arguments alone.
     *
     * @param position where the entry stands
     * @param leaderClockNanos the wall clock that the leader read when it took the entry, ns since 1970
     * @param entry the entry as it was appended; valid during the call only
     * @return the reply that {@link LogHost#append} hands to the appender on the leader
     */
    byte[] apply(LogPosition position, long leaderClockNanos, ByteBuffer entry);

    /**
     * Makes the state through {@code position} durable (fsync), so that the log before it may go.
     *
     * @return the position that the snapshot covers
     */
    LogPosition snapshot(LogPosition position);

    /**
     * The leader's log no longer reaches back to what this replica needs: fetch a snapshot from that node (skipping files that are
     * here already), make it durable under the directory of {@link #restore}, and complete with its position. {@link #restore} follows.
     * Called on a thread of its own; apply is paused meanwhile.
     */
    CompletionStage<LogPosition> install(String leaderNodeId);

    /**
     * Leadership has changed, as far as this replica knows.
     *
     * @param leads this replica leads and has applied all that was committed before its term
     * @param leader the leader's node id, null where none is known
     */
    void leadership(boolean leads, @Nullable String leader, long term);

    /** Its entries are few and small, and nothing goes on without them: they are taken while there is any space, below the reserve too. */
    default boolean usesReserve() {
        return false;
    }

    /** The group closes. No call follows but {@link #restore}. */
    void close();
}
