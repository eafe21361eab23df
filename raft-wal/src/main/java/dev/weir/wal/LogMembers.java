package dev.weir.wal;

import java.util.List;

/**
 * Who holds a log. Listeners receive every entry and apply it, but neither vote nor lead.
 *
 * <p>Both lists empty means: this replica joins, and learns its peers from the leader that adds it.
 */
public record LogMembers(List<LogPeer> voters, List<LogPeer> listeners) {
    public LogMembers {
        voters = List.copyOf(voters);
        listeners = List.copyOf(listeners);
    }

    public static LogMembers voters(List<LogPeer> voters) {
        return new LogMembers(voters, List.of());
    }

    /** Of a replica that waits for a leader to add it. */
    public static LogMembers joining() {
        return new LogMembers(List.of(), List.of());
    }
}
