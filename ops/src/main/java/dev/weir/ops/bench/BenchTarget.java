package dev.weir.ops.bench;

import dev.weir.ops.client.ClusterClient;
import dev.weir.ops.client.ClusterStatus;
import dev.weir.ops.client.CommandFailedException;
import dev.weir.ops.command.ConnectionOptions;
import dev.weir.ops.local.LocalCluster;
import dev.weir.ops.local.Waiting;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What is measured: nodes by address, or a local cluster by its folder, which also says whose CPU time counts. */
final class BenchTarget {
    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(15);

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "A cluster of weir local: its nodes are used, and their CPU time is counted.")
    Optional<Path> dir = Optional.empty();

    @Option(
            names = "--pids",
            paramLabel = "PID,PID",
            split = ",",
            description = "Processes of the servers, to count their CPU time.")
    List<Long> pids = List.of();

    @Mixin
    ConnectionOptions connection = new ConnectionOptions();

    ClusterClient open() {
        return new ClusterClient(nodes(), connection.token(), connection.timeout());
    }

    List<URI> nodes() {
        List<URI> nodes = ClusterClient.addresses(
                dir.map(path -> LocalCluster.open(path).urls()).orElseGet(connection::urls));
        for (URI node : nodes) {
            if (!"http".equals(node.getScheme())) {
                throw CommandFailedException.refused(
                        "weir bench reads and writes sockets itself, without TLS: expected http://, found " + node);
            }
        }
        return nodes;
    }

    Optional<String> token() {
        return connection.token();
    }

    Duration timeout() {
        return connection.timeout();
    }

    List<Long> serverPids() {
        return pids.isEmpty() ? dir.map(path -> LocalCluster.open(path).pids()).orElse(List.of()) : pids;
    }

    LocalCluster localCluster() {
        return LocalCluster.open(dir.orElseThrow(
                () -> CommandFailedException.refused("expected --dir with the folder of a weir local cluster")));
    }

    /** Waits until all replicas have applied what was acknowledged, so that their CPU time is counted too. */
    ClusterStatus drained(ClusterClient client) {
        ClusterStatus[] last = {ClusterStatus.read(client)};
        Waiting.until(DRAIN_LIMIT, () -> {
            last[0] = ClusterStatus.read(client);
            return last[0].partitions().stream()
                    .flatMap(partition -> partition.replicas().stream())
                    .allMatch(replica -> replica.lag() <= 0);
        });
        return last[0];
    }
}
