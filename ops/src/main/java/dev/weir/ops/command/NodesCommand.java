package dev.weir.ops.command;

import dev.weir.ops.client.ClusterClient;
import dev.weir.ops.client.ClusterStatus;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code weir nodes}. */
@Command(name = "nodes", mixinStandardHelpOptions = true, description = "The nodes of the cluster.")
public final class NodesCommand {
    @Command(mixinStandardHelpOptions = true, description = "All nodes and what they are doing.")
    int list(@Mixin ConnectionOptions connection, @Mixin OutputOptions output) {
        try (ClusterClient client = connection.open()) {
            if (output.json()) {
                output.printJson(client.get("/api/v1/admin/nodes"));
            } else {
                output.print(StatusTables.nodes(ClusterStatus.read(client)));
            }
            return 0;
        }
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "Moves all replicas of a node to the others, and says which can't go.")
    int drain(
            @Parameters(paramLabel = "NODE") String node,
            @Mixin OperationOptions operation,
            @Mixin ConnectionOptions connection,
            @Mixin OutputOptions output) {
        try (ClusterClient client = connection.open()) {
            return new OperationCalls(client, output).start(Map.of("kind", "drain", "node", node), operation);
        }
    }
}
