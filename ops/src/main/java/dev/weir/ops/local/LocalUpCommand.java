package dev.weir.ops.local;

import dev.weir.ops.client.CommandFailedException;
import dev.weir.ops.command.OutputOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code weir local up}: starts a cluster, or goes on with the one in the folder, and waits until all its nodes are ready. */
@Command(
        name = "up",
        mixinStandardHelpOptions = true,
        description = "Starts a cluster, or goes on with the one that the folder holds.")
final class LocalUpCommand implements Callable<Integer> {
    @Option(names = "--dir", required = true, description = "Folder of the cluster.")
    @SuppressWarnings("NullAway.Init") // required
    Path dir;

    @Option(names = "--nodes", paramLabel = "N", description = "Nodes. Default: 3.")
    Optional<Integer> nodes = Optional.empty();

    @Option(
            names = "--http-port",
            paramLabel = "P",
            description = "HTTP port of node 1; 0 takes free ports. Default: 7070.")
    Optional<Integer> httpPort = Optional.empty();

    @Option(
            names = "--rf",
            paramLabel = "R",
            description = "Replicas of each partition. Default: 3, or as many as there are nodes.")
    Optional<Integer> rf = Optional.empty();

    @Option(names = "--partitions", paramLabel = "K", description = "Partitions. Default: 8.")
    Optional<Integer> partitions = Optional.empty();

    @Option(
            names = "-c",
            paramLabel = "KEY=VALUE",
            description = "A setting for every node; may be repeated. Kept for later starts; KEY= takes one back.")
    List<String> settings = new ArrayList<>();

    @Option(names = "--detach", description = "Come back when all nodes are ready; they go on.")
    boolean detach;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "How long starting may take. Default: ${DEFAULT-VALUE}.")
    int timeoutSeconds;

    @Mixin
    OutputOptions output = new OutputOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        LocalCluster cluster = LocalCluster.prepare(dir, new LocalPlan(nodes, httpPort, rf, partitions, settings));
        if (cluster.size() == 2) {
            output.err().println("weir: two nodes survive the loss of none; take three to survive the loss of one");
        }
        long start = System.nanoTime();
        List<LocalNode> started = new ArrayList<>();
        Thread stopOnExit = new Thread(() -> cluster.stop(cluster.nodes()), "stop-on-exit");
        Runtime.getRuntime().addShutdownHook(stopOnExit);
        try {
            started.addAll(cluster.startGone());
            cluster.awaitReady(cluster.nodes(), Duration.ofSeconds(timeoutSeconds));
        } catch (CommandFailedException | IOException e) {
            Runtime.getRuntime().removeShutdownHook(stopOnExit);
            cluster.stop(started);
            throw e;
        }
        say(cluster, Duration.ofNanos(System.nanoTime() - start));
        if (detach) {
            Runtime.getRuntime().removeShutdownHook(stopOnExit);
            return 0;
        }
        output.line("Ctrl-C stops all nodes.");
        new CountDownLatch(1).await();
        return 0;
    }

    private void say(LocalCluster cluster, Duration took) {
        if (output.json()) {
            output.printJson(java.util.Map.of("nodes", LocalStatus.of(cluster)));
            return;
        }
        output.line("%d %s ready after %.1f s: %s"
                .formatted(
                        cluster.size(),
                        cluster.size() == 1 ? "node is" : "nodes are",
                        took.toMillis() / 1000.0,
                        String.join(" ", cluster.urls())));
    }
}
