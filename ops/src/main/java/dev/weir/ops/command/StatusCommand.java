package dev.weir.ops.command;

import dev.weir.ops.client.ClusterClient;
import dev.weir.ops.client.ClusterStatus;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code weir status}: the cluster, its nodes, its partitions. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description = "The cluster, its nodes and partitions, who leads, who lags, rows per second.")
public final class StatusCommand implements Callable<Integer> {
    @Mixin
    ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        try (ClusterClient client = connection.open()) {
            if (output.json()) {
                output.printJson(client.get("/api/v1/admin/status"));
                return 0;
            }
            ClusterStatus status = ClusterStatus.read(client);
            ClusterStatus.Cluster cluster = status.cluster();
            output.line("cluster %s, version %s, epoch %d, replication factor %d, catalog led by %s at version %d"
                    .formatted(
                            cluster.name(),
                            cluster.version(),
                            cluster.epoch(),
                            cluster.replicationFactor(),
                            StatusTables.orDash(cluster.catalogLeader()),
                            cluster.catalogVersion()));
            output.line("");
            output.print(StatusTables.nodes(status));
            output.line("");
            output.print(StatusTables.partitions(status));
            for (ClusterStatus.Node node : status.nodes()) {
                node.checks()
                        .forEach(
                                check -> output.line("%s: %s: %s".formatted(node.id(), check.name(), check.message())));
            }
            Long letters = status.deadLetters().rows();
            if (letters != null && letters > 0) {
                output.line("");
                output.line("%,d refused rows are kept: weir dead-letters list".formatted(letters));
            }
            return 0;
        }
    }
}
