package dev.weir.wal.ratis;

import dev.weir.wal.LogMembers;
import dev.weir.wal.LogStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.Nullable;

/** Reads a replica's status out of Ratis, without its locks. */
final class ReplicaStatus {
    private ReplicaStatus() {}

    static LogStatus of(GroupReplica replica, HostContext host) {
        GroupReplica.Opening opening = replica.opening();
        GroupReplica.Phase phase = replica.phase();
        if (opening == null || phase != GroupReplica.Phase.RUNNING) {
            return closed(replica, opening, host);
        }
        DivisionInfo info = opening.division().getInfo();
        RaftPeerId leader = info.getLeaderId();
        return new LogStatus(
                role(info.getCurrentRole()),
                info.getCurrentTerm(),
                leader == null ? null : leader.toString(),
                replica.leads() && info.isLeader(),
                Math.max(0, opening.division().getRaftLog().getLastCommittedIndex()),
                Math.max(0, info.getLastAppliedIndex()),
                followers(opening.division()),
                members(replica, opening, host),
                opening.machine().installing() ? "installing-snapshot" : "running",
                replica.leaderChanges(),
                replica.installs());
    }

    private static LogStatus closed(GroupReplica replica, GroupReplica.@Nullable Opening opening, HostContext host) {
        boolean failed = replica.phase() == GroupReplica.Phase.FAILED || replica.phase() == GroupReplica.Phase.OPENING;
        return new LogStatus(
                LogStatus.Role.CLOSED,
                opening == null ? 0 : opening.division().getInfo().getCurrentTerm(),
                null,
                false,
                0,
                opening == null
                        ? 0
                        : Math.max(
                                0, opening.machine().getLastAppliedTermIndex().getIndex()),
                Map.of(),
                members(replica, opening, host),
                failed ? "log-failed" : "closed",
                replica.leaderChanges(),
                replica.installs());
    }

    private static LogMembers members(GroupReplica replica, GroupReplica.@Nullable Opening opening, HostContext host) {
        return opening == null
                ? replica.lastMembers()
                : Peers.members(opening.division().getRaftConf(), host.book());
    }

    private static LogStatus.Role role(RaftPeerRole role) {
        return switch (role) {
            case LEADER -> LogStatus.Role.LEADER;
            case CANDIDATE -> LogStatus.Role.CANDIDATE;
            case LISTENER -> LogStatus.Role.LISTENER;
            case FOLLOWER, UNRECOGNIZED -> LogStatus.Role.FOLLOWER;
        };
    }

    /** Of a leader: the last index known stored on each follower and listener. */
    static Map<String, Long> followers(RaftServer.Division division) {
        long[] indices = division.getInfo().getFollowerMatchIndices();
        List<ServerRpcProto> followers = followerRpcs(division);
        if (indices == null || indices.length != followers.size()) {
            return Map.of();
        }
        Map<String, Long> stored = new HashMap<>();
        for (int i = 0; i < indices.length; i++) {
            stored.put(nodeId(followers.get(i)), Math.max(0, indices[i]));
        }
        return stored;
    }

    /** Of a leader: when each follower and listener answered last. Empty elsewhere. */
    static List<ServerRpcProto> followerRpcs(RaftServer.Division division) {
        return division.getInfo().isLeader()
                ? division.getInfo().getRoleInfoProto().getLeaderInfo().getFollowerInfoList()
                : List.of();
    }

    static String nodeId(ServerRpcProto follower) {
        return follower.getId().getId().toStringUtf8();
    }
}
