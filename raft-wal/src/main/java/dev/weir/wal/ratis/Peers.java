package dev.weir.wal.ratis;

import dev.weir.wal.LogGroupId;
import dev.weir.wal.LogMembers;
import dev.weir.wal.LogPeer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftConfiguration;

/** Turns members into Ratis's peers and back. All peers have one priority: leaders move by request only. */
final class Peers {
    private Peers() {}

    static RaftGroupId groupId(LogGroupId group) {
        return RaftGroupId.valueOf(group.value());
    }

    /**
     * Who holds the group when it starts empty. One that joins starts as a listener among nobody: so it stands for no election, and
     * takes the part that the leader's configuration gives it, where Ratis would make a listener that started without a part stand
     * for election once its leader is gone.
     */
    static RaftGroup group(LogGroupId group, LogMembers members, LogPeer self) {
        if (members.equals(LogMembers.joining())) {
            return RaftGroup.valueOf(groupId(group), peers(List.of(self), RaftPeerRole.LISTENER));
        }
        List<RaftPeer> peers = new ArrayList<>(voters(members));
        peers.addAll(listeners(members));
        return RaftGroup.valueOf(groupId(group), peers);
    }

    static List<RaftPeer> voters(LogMembers members) {
        return peers(members.voters(), RaftPeerRole.FOLLOWER);
    }

    static List<RaftPeer> listeners(LogMembers members) {
        return peers(members.listeners(), RaftPeerRole.LISTENER);
    }

    static LogMembers members(RaftConfiguration configuration, AddressBook book) {
        return new LogMembers(
                logPeers(configuration.getCurrentPeers(), book),
                logPeers(configuration.getCurrentPeers(RaftPeerRole.LISTENER), book));
    }

    static Set<String> ids(Collection<RaftPeer> peers) {
        return peers.stream().map(peer -> peer.getId().toString()).collect(Collectors.toSet());
    }

    private static List<RaftPeer> peers(List<LogPeer> peers, RaftPeerRole role) {
        return peers.stream()
                .map(peer -> RaftPeer.newBuilder()
                        .setId(RaftPeerId.valueOf(peer.nodeId()))
                        .setAddress(peer.address())
                        .setStartupRole(role)
                        .build())
                .toList();
    }

    private static List<LogPeer> logPeers(Collection<RaftPeer> peers, AddressBook book) {
        return peers.stream()
                .map(peer -> new LogPeer(
                        peer.getId().toString(), book.address(peer.getId().toString(), peer.getAddress())))
                .sorted((left, right) -> left.nodeId().compareTo(right.nodeId()))
                .toList();
    }
}
