package dev.weir.ops.command;

import dev.weir.ops.client.ClusterClient;
import dev.weir.ops.client.ClusterStatus;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

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
}
