package dev.weir.ops.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.ops.client.ClusterClient;
import java.time.Duration;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir ops}. */
@Command(
        name = "ops",
        mixinStandardHelpOptions = true,
        description = "Long changes of the cluster: what runs, what was planned, what has ended.")
public final class OperationsCommand {
    @Command(
            mixinStandardHelpOptions = true,
            description = "All operations: those that run, and the last hundred others.")
    int list(@Mixin ConnectionOptions connection, @Mixin OutputOptions output) {
        try (ClusterClient client = connection.open()) {
            output.answer(client.get(OperationCalls.PATH), OperationText::all);
            return 0;
        }
    }

    @Command(mixinStandardHelpOptions = true, description = "One operation: its plan, and how far each action is.")
    int show(
            @Parameters(paramLabel = "ID") String id,
            @Mixin ConnectionOptions connection,
            @Mixin OutputOptions output) {
        try (ClusterClient client = connection.open()) {
            output.answer(client.get(OperationCalls.path(id)), OperationText::table);
            return 0;
        }
    }

    @Command(
            mixinStandardHelpOptions = true,
            description =
                    "Follows an operation to its end. Exit code 0 where it is done, 1 where it has failed or was cancelled.")
    int watch(
            @Parameters(paramLabel = "ID") String id,
            @Option(
                            names = "--within",
                            paramLabel = "DURATION",
                            defaultValue = "PT1H",
                            description = "Waits no longer than that (exit code 4). Default: ${DEFAULT-VALUE}.")
                    Duration within,
            @Mixin ConnectionOptions connection,
            @Mixin OutputOptions output) {
        try (ClusterClient client = connection.open()) {
            return new OperationCalls(client, output).watch(id, within);
        }
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "Begins what was planned with --dry-run; refused where the partition map has changed since.")
    int apply(
            @Parameters(paramLabel = "ID") String id,
            @Mixin ConnectionOptions connection,
            @Mixin OutputOptions output) {
        return steer(id, "apply", connection, output);
    }

    @Command(mixinStandardHelpOptions = true, description = "Takes no further step for now.")
    int pause(
            @Parameters(paramLabel = "ID") String id,
            @Mixin ConnectionOptions connection,
            @Mixin OutputOptions output) {
        return steer(id, "pause", connection, output);
    }

    @Command(mixinStandardHelpOptions = true, description = "Goes on with what was paused.")
    int resume(
            @Parameters(paramLabel = "ID") String id,
            @Mixin ConnectionOptions connection,
            @Mixin OutputOptions output) {
        return steer(id, "resume", connection, output);
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "Begins nothing more, and takes back what is begun and not finished.")
    int cancel(
            @Parameters(paramLabel = "ID") String id,
            @Mixin ConnectionOptions connection,
            @Mixin OutputOptions output) {
        return steer(id, "cancel", connection, output);
    }

    private static int steer(String id, String wish, ConnectionOptions connection, OutputOptions output) {
        try (ClusterClient client = connection.open()) {
            JsonNode now = client.send("POST", OperationCalls.path(id) + "/" + wish, Map.of());
            output.answer(now, OperationText::table);
            return 0;
        }
    }
}
