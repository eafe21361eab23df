package dev.weir.wal;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one replica knows of its log right now; a hint for people and controllers, not a promise.
 *
 * @param role this replica's role
 * @param term its current term
 * @param leader the node id of the leader that it follows or is, null when it knows none
 * @param ready leader only: has applied every entry of earlier terms, so that it may serve
 * @param committedIndex the last index that it knows committed
 * @param appliedIndex the last index that it applied
 * @param followers leader only: node id → last index known stored there (voters and listeners, without itself)
 * @param members the configuration that it follows
 * @param phase {@code running}, {@code installing-snapshot}, {@code log-failed} (an I/O error; it is being reopened) or {@code closed}
 * @param leaderChanges how often a leader was seen to change since this process started
 * @param snapshotInstalls how many snapshots this replica has installed since this process started
 */
public record LogStatus(
        Role role,
        long term,
        @Nullable String leader,
        boolean ready,
        long committedIndex,
        long appliedIndex,
        Map<String, Long> followers,
        LogMembers members,
        String phase,
        long leaderChanges,
        long snapshotInstalls) {
    /** The part a replica plays. */
    public enum Role {
        LEADER,
        FOLLOWER,
        CANDIDATE,
        LISTENER,
        CLOSED
    }

    public boolean leads() {
        return role == Role.LEADER && ready;
    }
}
