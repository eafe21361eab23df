package dev.weir.ops.command;

import dev.weir.ops.client.ClusterClient;
import dev.weir.ops.client.ClusterStatus;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir partitions}. */
@Command(name = "partitions", mixinStandardHelpOptions = true, description = "The partitions of the cluster.")
public final class PartitionsCommand {
    @Command(
            mixinStandardHelpOptions = true,
            description = "All partitions: slots, leader, replicas, lag, the seqs that are kept, rows.")
    int list(@Mixin ConnectionOptions connection, @Mixin OutputOptions output) {
        try (ClusterClient client = connection.open()) {
            if (output.json()) {
                output.printJson(client.get("/api/v1/admin/partitions"));
            } else {
                output.print(StatusTables.partitions(ClusterStatus.read(client)));
            }
            return 0;
        }
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "Moves a replica to another node, with its history, while everything runs.")
    int move(
            @Parameters(paramLabel = "PARTITION") int partition,
            @Option(names = "--from", paramLabel = "NODE", required = true, description = "The node that holds it.")
                    String from,
            @Option(names = "--to", paramLabel = "NODE", required = true, description = "The node that gets it.")
                    String to,
            @Mixin OperationOptions operation,
            @Mixin ConnectionOptions connection,
            @Mixin OutputOptions output) {
        try (ClusterClient client = connection.open()) {
            return new OperationCalls(client, output)
                    .start(Map.of("kind", "move", "partition", partition, "from", from, "to", to), operation);
        }
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "Moves replicas until nodes differ by one at most; does nothing where they do.")
    int rebalance(@Mixin OperationOptions operation, @Mixin ConnectionOptions connection, @Mixin OutputOptions output) {
        try (ClusterClient client = connection.open()) {
            return new OperationCalls(client, output).start(Map.of("kind", "rebalance"), operation);
        }
    }

    @Command(
            name = "transfer-leader",
            mixinStandardHelpOptions = true,
            description = "Has another of a partition's nodes lead it, now and from now on.")
    int transferLeader(
            @Parameters(paramLabel = "PARTITION") int partition,
            @Option(names = "--to", paramLabel = "NODE", required = true, description = "A node that holds a replica.")
                    String to,
            @Mixin OperationOptions operation,
            @Mixin ConnectionOptions connection,
            @Mixin OutputOptions output) {
        try (ClusterClient client = connection.open()) {
            return new OperationCalls(client, output)
                    .start(Map.of("kind", "transfer-leader", "partition", partition, "to", to), operation);
        }
    }
}
