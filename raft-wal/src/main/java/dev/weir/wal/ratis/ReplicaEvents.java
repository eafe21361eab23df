package dev.weir.wal.ratis;

/** What a group's state machine tells its replica. Called from Ratis's threads, some under the group's lock: must not block. */
interface ReplicaEvents {
    /** Who leads, or whether this replica may serve as leader, has changed. */
    void leadershipChanged();

    /** Another node became leader. */
    void leaderSeen(String leaderNodeId);

    /** The log's worker met an I/O error: every later append will fail. */
    void logFailed(Throwable cause);

    /** A snapshot fetched from elsewhere is in use. */
    void snapshotInstalled();

    /** May a snapshot be written now? Not into a full disk, and not of a state that was given up. */
    boolean maySnapshot();

    /** The state could drift. Nothing may be applied any more. */
    void fault(String what, Throwable cause);
}
