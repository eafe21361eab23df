package dev.weir.wal;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * One node's host of replicated logs: the narrow port over Apache Ratis.
 *
 * <p>Threading: every method may be called from any thread and none blocks. Futures complete on threads of the log and fail with
 * {@link LogException} only; callbacks must not block. Durability: see {@link #append}.
 */
public interface LogHost extends AutoCloseable {
    /**
     * Opens this node's replica of a log: continues what is on disk, else starts it empty. Opening an open group completes at once.
     *
     * @param members who holds the log when it starts empty (the same list on every first member), or {@link LogMembers#joining()}
     * @param state the state that the log is folded into; owned by the host until the group is closed
     */
    CompletionStage<Void> open(LogGroupId group, LogMembers members, ReplicatedState state);

    /** Closes the replica and keeps its folder. Closing what is not open completes at once. */
    CompletionStage<Void> close(LogGroupId group);

    /** Closes the replica and moves its folder to {@code removed/} beside it; nothing is deleted. */
    CompletionStage<Void> retire(LogGroupId group);

    /** The groups with a folder on this node, open or not. */
    Set<LogGroupId> onDisk();

    /**
     * Appends one entry through the local replica, which must lead. Completes after a majority has the entry on disk (fsync) and it was
     * applied here, with the reply of {@link ReplicatedState#apply}.
     *
     * <p>Fails with {@link LogException.Kind#UNKNOWN} when the outcome can't be told within the configured time; with any other kind
     * nothing was or will be appended.
     *
     * @param entry the bytes; not copied before the call returns, so the caller must not change them
     */
    CompletionStage<byte[]> append(LogGroupId group, ByteBuffer entry);

    /** As {@link #append}, for a small entry that gives space back where it is applied: taken below the reserve too, while there is any space. */
    CompletionStage<byte[]> appendFreeing(LogGroupId group, ByteBuffer entry);

    /**
     * Completes when this replica has applied everything that was committed anywhere before the call: the local state may then be read as
     * of now. On a leader by its lease or a round of heartbeats, elsewhere by asking the leader for its index.
     */
    CompletionStage<Void> linearize(LogGroupId group);

    /** What this replica knows of the group; empty where it is not open here. */
    Optional<LogStatus> status(LogGroupId group);

    /** Changes who holds the log, in one step; this replica must lead. Completes when the new configuration is committed. */
    CompletionStage<Void> setMembers(LogGroupId group, LogMembers members);

    /** Hands leadership to a voter; this replica must lead. */
    CompletionStage<Void> transferLeadership(LogGroupId group, String nodeId);

    /** Takes a snapshot now and drops log segments before it. Completes with the position covered. */
    CompletionStage<LogPosition> snapshot(LogGroupId group);

    /** Closes all groups in order, after their states were snapshotted; idempotent. Blocks until done, at most a configured time. */
    @Override
    void close();
}
