package dev.weir.ops.local;

import dev.weir.ops.client.Json;
import dev.weir.ops.command.OutputOptions;
import dev.weir.ops.command.TextTable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir local}: a cluster of processes on this machine. Scripts rely on it. */
@Command(
        name = "local",
        mixinStandardHelpOptions = true,
        description = "A cluster of processes on this machine, for play and tests.",
        footer = {"", "Ports of node I: HTTP P+I-1, Raft P+100+I-1, Hazelcast P+200+I-1, Flight P+300+I-1."},
        subcommands = {LocalUpCommand.class})
public final class LocalCommand {
    private static final String DIR = "--dir";

    @Command(mixinStandardHelpOptions = true, description = "What each node is doing.")
    int status(
            @Option(names = DIR, required = true, description = "Folder of the cluster.") Path dir,
            @Mixin OutputOptions output) {
        List<LocalStatus> all = LocalStatus.of(LocalCluster.open(dir));
        if (output.json()) {
            output.printJson(Json.MAPPER.createObjectNode().set("nodes", Json.MAPPER.valueToTree(all)));
            return 0;
        }
        TextTable table = new TextTable("NODE", "STATE", "PID", "URL", "CAUSES");
        all.forEach(node -> table.row(
                node.node(),
                node.state(),
                node.pid() == 0 ? "-" : node.pid(),
                node.url(),
                node.causes().isEmpty() ? "-" : node.causes().stream().collect(Collectors.joining("; "))));
        output.print(table);
        return 0;
    }

    @Command(mixinStandardHelpOptions = true, description = "Kills node I with SIGKILL.")
    int kill(
            @Parameters(paramLabel = "I", description = "Number of the node, from 1.") int node,
            @Option(names = DIR, required = true, description = "Folder of the cluster.") Path dir) {
        LocalCluster.open(dir).kill(node);
        return 0;
    }

    @Command(mixinStandardHelpOptions = true, description = "Stops node I where it stands, with SIGSTOP.")
    int pause(
            @Parameters(paramLabel = "I", description = "Number of the node, from 1.") int node,
            @Option(names = DIR, required = true, description = "Folder of the cluster.") Path dir) {
        LocalCluster.open(dir).pause(node);
        return 0;
    }

    @Command(mixinStandardHelpOptions = true, description = "Lets a paused node I go on, with SIGCONT.")
    int resume(
            @Parameters(paramLabel = "I", description = "Number of the node, from 1.") int node,
            @Option(names = DIR, required = true, description = "Folder of the cluster.") Path dir) {
        LocalCluster.open(dir).resume(node);
        return 0;
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "Stops node I in order if it runs, starts it, waits until it is ready.")
    int restart(
            @Parameters(paramLabel = "I", description = "Number of the node, from 1.") int node,
            @Option(names = DIR, required = true, description = "Folder of the cluster.") Path dir,
            @Option(
                            names = "--timeout",
                            paramLabel = "SECONDS",
                            defaultValue = "60",
                            description = "How long it may take. Default: ${DEFAULT-VALUE}.")
                    int timeoutSeconds)
            throws IOException {
        LocalCluster.open(dir).restart(node, Duration.ofSeconds(timeoutSeconds));
        return 0;
    }

    @Command(mixinStandardHelpOptions = true, description = "Stops all nodes in order; the data stays.")
    int down(
            @Option(names = DIR, required = true, description = "Folder of the cluster.") Path dir,
            @Mixin OutputOptions output) {
        List<String> killed = LocalCluster.open(dir).down();
        if (!killed.isEmpty()) {
            output.err().println("weir: killed, since they did not stop in time: " + String.join(", ", killed));
        }
        return 0;
    }
}
