package dev.weir.node.internal;

import dev.weir.node.cluster.GroupAdmin;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.partition.catalog.PartitionRecord;
import dev.weir.wal.LogPeer;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Looks at and changes the replicas of partitions through {@code /internal/v1}, on this node too. */
public final class PeerGroupAdmin implements GroupAdmin {
    private static final Duration OPEN_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration CHANGE_TIMEOUT = Duration.ofMinutes(2);
    private static final Duration HAND_OVER_TIMEOUT = Duration.ofSeconds(12);

    private final ReadRouter reads;
    private final PeerClient peers;
    private final Function<String, Optional<NodeRecord>> nodes;

    /** @param nodes finds a node by its id */
    public PeerGroupAdmin(ReadRouter reads, PeerClient peers, Function<String, Optional<NodeRecord>> nodes) {
        this.reads = reads;
        this.peers = peers;
        this.nodes = nodes;
    }

    @Override
    public CompletionStage<Configuration> configuration(PartitionRecord partition) {
        return reads.configuration(partition.id())
                .thenApply(members -> new Configuration(members.leader(), members.ids()));
    }

    @Override
    public CompletionStage<Void> openReplica(NodeRecord node, PartitionRecord partition) {
        Buffer body = new WireWriter(16)
                .putInt(partition.id())
                .putInt(partition.generation())
                .buffer();
        return peers.post(node, "/replicas/open", body, OPEN_TIMEOUT).thenApply(done -> null);
    }

    @Override
    public CompletionStage<Void> setVoters(String leader, PartitionRecord partition, List<NodeRecord> voters) {
        List<LogPeer> members = voters.stream()
                .map(voter -> new LogPeer(voter.id(), voter.raftAddress()))
                .toList();
        return askLeader(leader, partition, "voters", encode(leader, members), CHANGE_TIMEOUT);
    }

    @Override
    public CompletionStage<Void> handOver(String leader, PartitionRecord partition, String to) {
        return askLeader(
                leader, partition, "leader", new WireWriter(32).putText(to).buffer(), HAND_OVER_TIMEOUT);
    }

    private CompletionStage<Void> askLeader(
            String leader, PartitionRecord partition, String verb, Buffer message, Duration timeout) {
        NodeRecord node = nodes.apply(leader).orElse(null);
        return node == null
                ? CompletableFuture.failedFuture(new IllegalStateException("node " + leader + " is not known"))
                : peers.post(node, "/partitions/" + partition.id() + "/" + verb, message, timeout)
                        .thenApply(done -> null);
    }

    /** Who holds a partition, as its leader says. */
    public record Members(String leader, List<LogPeer> voters) {
        /** Of the nodes that vote. */
        public List<String> ids() {
            return voters.stream().map(LogPeer::nodeId).toList();
        }
    }

    static Buffer encode(String leader, List<LogPeer> voters) {
        WireWriter out = new WireWriter(128).putText(leader).putInt(voters.size());
        voters.forEach(voter -> out.putText(voter.nodeId()).putText(voter.address()));
        return out.buffer();
    }

    static Members decode(Buffer message) {
        WireReader in = new WireReader(message);
        String leader = in.readText();
        int count = in.readCount(8);
        List<LogPeer> voters = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            voters.add(new LogPeer(in.readText(), in.readText()));
        }
        return new Members(leader, voters);
    }
}
