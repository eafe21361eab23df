package dev.weir.node.cluster;

import dev.weir.node.config.ClusterConfig;
import dev.weir.node.config.MemberAddress;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.wal.LogGroupId;
import dev.weir.wal.LogMembers;
import dev.weir.wal.LogPeer;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/**
 * The catalog's group at birth, as every initial member works it out for itself: equal configuration gives an equal group, another name,
 * list or secret another one.
 *
 * @param nodes the initial members, in order of their ids
 */
record CatalogGroupPlan(LogGroupId group, List<NodeRecord> nodes) {
    static final int VOTERS = 3;

    CatalogGroupPlan {
        nodes = List.copyOf(nodes);
    }

    static CatalogGroupPlan of(ClusterConfig cluster, NodeRecord self) {
        List<NodeRecord> nodes = cluster.initialMembers().isEmpty()
                ? List.of(self)
                : cluster.initialMembers().stream()
                        .map(member -> record(member, self.tls()))
                        .sorted(Comparator.comparing(NodeRecord::id))
                        .toList();
        return new CatalogGroupPlan(groupId(cluster, nodes), nodes);
    }

    /** One voter with one or two nodes, three from three on; all others listen. */
    LogMembers members() {
        List<LogPeer> peers = nodes.stream()
                .map(node -> new LogPeer(node.id(), node.raftAddress()))
                .toList();
        int voters = nodes.size() >= VOTERS ? VOTERS : 1;
        return new LogMembers(peers.subList(0, voters), peers.subList(voters, peers.size()));
    }

    boolean contains(String nodeId) {
        return nodes.stream().anyMatch(node -> node.id().equals(nodeId));
    }

    /** @param tls of a node that has not said so itself: as this one */
    private static NodeRecord record(MemberAddress member, boolean tls) {
        return new NodeRecord(
                member.id(), member.host(), member.httpPort(), member.raftPort(), member.hazelcastPort(), 0, tls);
    }

    private static LogGroupId groupId(ClusterConfig cluster, List<NodeRecord> nodes) {
        StringBuilder text =
                new StringBuilder("weir catalog\n").append(cluster.name()).append('\n');
        nodes.forEach(node -> text.append(node.id()).append('\n'));
        text.append(SecretHash.hex(cluster.secret()));
        ByteBuffer digest = ByteBuffer.wrap(SecretHash.digest(text.toString()));
        return new LogGroupId(new UUID(digest.getLong(), digest.getLong()));
    }
}
