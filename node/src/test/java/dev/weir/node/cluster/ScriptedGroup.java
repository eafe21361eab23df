package dev.weir.node.cluster;

import dev.weir.partition.catalog.NodeRecord;
import dev.weir.partition.catalog.PartitionRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A group that does what it is told and notes it. */
final class ScriptedGroup implements GroupAdmin {
    final List<String> calls = new ArrayList<>();
    List<String> voters = List.of("n1");
    String leader = "n1";
    /** Another change of voters is under way. */
    boolean busy;

    String unreachable = "";
    Runnable meanwhile = () -> {};

    @Override
    public CompletionStage<Configuration> configuration(PartitionRecord partition) {
        return CompletableFuture.completedFuture(new Configuration(leader, voters));
    }

    @Override
    public CompletionStage<Void> openReplica(NodeRecord node, PartitionRecord partition) {
        if (node.id().equals(unreachable)) {
            return CompletableFuture.failedFuture(new IOException("connection refused"));
        }
        calls.add("open " + node.id());
        meanwhile.run();
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Void> handOver(String leader, PartitionRecord partition, String to) {
        if (!voters.contains(to)) {
            return CompletableFuture.failedFuture(new IllegalStateException(to + " does not vote"));
        }
        this.leader = to;
        calls.add("leader " + to);
        meanwhile.run();
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Void> setVoters(String leader, PartitionRecord partition, List<NodeRecord> wanted) {
        if (busy) {
            return CompletableFuture.failedFuture(new IllegalStateException("in progress"));
        }
        if (wanted.stream().map(NodeRecord::id).toList().equals(voters)) {
            return CompletableFuture.completedFuture(null);
        }
        voters = wanted.stream().map(NodeRecord::id).toList();
        calls.add("voters " + String.join(" ", voters) + " at " + leader);
        meanwhile.run();
        return CompletableFuture.completedFuture(null);
    }
}
