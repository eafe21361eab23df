package dev.weir.ops.quickstart;

import dev.weir.ops.client.ClusterClient;
import dev.weir.ops.client.ClusterStatus;
import dev.weir.ops.client.CommandFailedException;
import dev.weir.ops.command.ChangeLines;
import dev.weir.ops.command.OutputOptions;
import dev.weir.ops.command.ReadCommand;
import dev.weir.ops.local.LocalCluster;
import dev.weir.ops.local.LocalPlan;
import dev.weir.ops.local.Waiting;
import dev.weir.ops.quickstart.HostRow.RowKey;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code weir quickstart}, which {@code ops/bin/quickstart} runs. Asks nothing; ends with 1 where a row or an event is missing. */
@Command(
        name = "quickstart",
        mixinStandardHelpOptions = true,
        description =
                "Shows what Weir does: three nodes, this machine's own figures, the change stream, a killed leader.")
public final class QuickstartCommand implements Callable<Integer> {
    private static final int NODES = 3;
    private static final int BATCHES_BEFORE = 20;
    private static final int BATCHES_AFTER = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @Option(names = "--keep", description = "Leave the cluster running, and its folder in place.")
    boolean keep;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Folder of the cluster. Default: a new one under the folder for temporary files.")
    Optional<Path> dir = Optional.empty();

    @Mixin
    OutputOptions output = new OutputOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path folder = dir.isPresent() ? dir.get() : Files.createTempDirectory("weir-quickstart-");
        Teardown teardown = new Teardown(folder);
        Runtime.getRuntime().addShutdownHook(teardown);
        boolean good = false;
        try {
            good = show(folder);
            if (good && keep) {
                Runtime.getRuntime().removeShutdownHook(teardown);
            }
        } finally {
            if (!keep || !good) {
                Runtime.getRuntime().removeShutdownHook(teardown);
                teardown.stopAll();
            }
        }
        if (!keep) {
            say("The nodes are stopped and %s is removed. What to try next:", folder);
            next("ops/bin/quickstart --keep", "the same, and the cluster goes on");
            next("ops/bin/weir local up --nodes 3 --dir /tmp/weir", "a cluster of your own on port 7070");
            next("mvn verify", "the tests");
        }
        return good ? 0 : CommandFailedException.REFUSED;
    }

    private boolean show(Path folder) throws IOException, InterruptedException {
        say("1. Three nodes start as three processes on this machine, in %s.", folder);
        long start = System.nanoTime();
        LocalCluster cluster = LocalCluster.prepare(
                folder,
                new LocalPlan(Optional.of(NODES), Optional.of(0), Optional.empty(), Optional.empty(), List.of()));
        cluster.startAll(PATIENCE);
        say("   Ready after %.1f s: %s", seconds(start), String.join(" ", cluster.urls()));
        List<URI> nodes = ClusterClient.addresses(cluster.urls());
        try (ClusterClient client = new ClusterClient(nodes, Optional.empty(), Duration.ofSeconds(15))) {
            ClusterStatus status = ClusterStatus.read(client);
            say(
                    "   %d partitions, each on %d nodes; a write is acknowledged when a majority has it on disk.",
                    status.partitions().size(), status.cluster().replicationFactor());
            try (Watcher watcher = Watcher.start(nodes, status);
                    SteadyWriter writer = new SteadyWriter(client)) {
                showData(client, writer, watcher);
                showFailover(cluster, client, writer, watcher);
                writer.close();
                boolean good = judge(writer, watcher);
                if (keep) {
                    bringBack(cluster);
                    sayNextWithCluster(cluster);
                }
                return good;
            }
        }
    }

    private void showData(ClusterClient client, SteadyWriter writer, Watcher watcher) {
        say("");
        say(
                "2. This machine's own CPU, memory, disk and network figures are written, through the three nodes in turn.");
        awaitBatches(writer, BATCHES_BEFORE);
        await("the change stream to show rows", () -> watcher.events() > 0);
        say(
                "   %,d points acknowledged so far. Somebody watches the change stream; the last changes that came:",
                writer.acknowledged().size());
        ChangeLines lines = new ChangeLines();
        watcher.last().forEach(event -> say("     %s", lines.of(event)));
        say("");
        say("3. What was written can be asked for at once, by SQL, at any node. The latest load of each processor:");
        ask(client, "SELECT cpu, last(load, time) AS load, max(time) AS time FROM host_cpu GROUP BY cpu ORDER BY cpu");
        say(
                "   Buffers become Parquet files while all goes on, and the answer stays the same. Before and after a flush:");
        String count = "SELECT count(*) AS points, min(time) AS first, max(time) AS last FROM host_cpu WHERE time <= '"
                + watermark(client) + "'";
        ask(client, count);
        ask(client, "FLUSH TABLE host_cpu");
        ask(client, count);
    }

    private void ask(ClusterClient client, String statement) {
        ReadCommand.table(client.sql(statement)).render().lines().forEach(line -> say("     %s", line));
    }

    /** The newest time in host_cpu: what is written meanwhile lies after it. */
    private static String watermark(ClusterClient client) {
        return client.sql("SELECT max(time) FROM host_cpu").at("/rows/0/0").asText();
    }

    private void showFailover(LocalCluster cluster, ClusterClient client, SteadyWriter writer, Watcher watcher) {
        int partition = watcher.eventsPerPartition().entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .orElseThrow()
                .getKey();
        String leader = leader(client, partition);
        int victim = Integer.parseInt(leader.substring("node".length()));
        say("");
        say(
                "4. %s leads partition %d, which has %,d of these changes. It is killed now, with -9.",
                leader, partition, changesOf(watcher, partition));
        long killed = System.nanoTime();
        cluster.kill(victim);
        String successor = leaderAfter(client, partition, leader);
        long before = changesOf(watcher, partition);
        await("partition " + partition + " to go on", () -> {
            writer.requireGoing();
            return changesOf(watcher, partition) > before;
        });
        say(
                "   The next change of this partition was written, acknowledged and seen %.1f s later, led by %s.",
                seconds(killed), successor);
        awaitBatches(writer, writer.batches() + BATCHES_AFTER);
        say(
                "   Writing and watching go on with two nodes: %,d points by now, %,d batches had to be sent again.",
                writer.acknowledged().size(), writer.retries());
    }

    private boolean judge(SteadyWriter writer, Watcher watcher) {
        Set<RowKey> missing = new HashSet<>(writer.acknowledged());
        Waiting.until(PATIENCE, () -> {
            missing.removeAll(watcher.seen());
            return missing.isEmpty() || !watcher.faults().isEmpty();
        });
        say("");
        say(
                "5. The account: %,d points acknowledged, %,d of them seen in the change stream, %,d changes in %d partitions,",
                writer.acknowledged().size(),
                writer.acknowledged().size() - missing.size(),
                watcher.events(),
                watcher.eventsPerPartition().size());
        say(
                "   %,d came twice after the reconnection and were told apart by (partition, seq), %d holes.",
                watcher.repeats(), watcher.faults().size());
        watcher.faults().forEach(fault -> say("   WRONG: %s", fault));
        missing.stream().limit(5).forEach(row -> say("   WRONG: acknowledged, but not in the stream: %s", row));
        boolean good = missing.isEmpty() && watcher.faults().isEmpty();
        say(good ? "   Nothing is lost." : "   This must not happen: please report it, with the logs of the nodes.");
        say("");
        return good;
    }

    private void bringBack(LocalCluster cluster) throws IOException {
        cluster.startAll(PATIENCE);
        say("The killed node is back; the cluster goes on in %s. What to try next:", cluster.dir());
    }

    private void sayNextWithCluster(LocalCluster cluster) {
        String url = cluster.urls().getFirst();
        next("ops/bin/weir status --url " + url, "who leads, who lags");
        next("ops/bin/weir cdc tail --from earliest --url " + url, "every change, from the first on");
        next("ops/bin/weir local down --dir " + cluster.dir(), "stop it");
    }

    private static String leader(ClusterClient client, int partition) {
        String[] found = {""};
        await("partition " + partition + " to have a leader", () -> {
            found[0] = ClusterStatus.read(client)
                    .partition(partition)
                    .map(ClusterStatus.Partition::leader)
                    .orElse("");
            return !found[0].isEmpty();
        });
        return found[0];
    }

    private static String leaderAfter(ClusterClient client, int partition, String old) {
        String[] found = {old};
        await("partition " + partition + " to have another leader", () -> {
            found[0] = leader(client, partition);
            return !found[0].equals(old);
        });
        return found[0];
    }

    private static void awaitBatches(SteadyWriter writer, long count) {
        await(count + " batches to be acknowledged", () -> {
            writer.requireGoing();
            return writer.batches() >= count;
        });
    }

    private static void await(String what, java.util.function.BooleanSupplier condition) {
        if (!Waiting.until(PATIENCE, condition)) {
            throw CommandFailedException.timedOut("waited " + PATIENCE.toSeconds() + " s for " + what);
        }
    }

    private static long changesOf(Watcher watcher, int partition) {
        return watcher.eventsPerPartition().getOrDefault(partition, 0L);
    }

    private static double seconds(long startNanos) {
        return (System.nanoTime() - startNanos) / 1e9;
    }

    private void say(String format, Object... values) {
        output.line(values.length == 0 ? format : format.formatted(values));
    }

    private void next(String command, String words) {
        output.line("  %-58s %s".formatted(command, words));
    }

    /** Stops the nodes and removes the folder, also when the user breaks off. */
    private static final class Teardown extends Thread {
        private final Path folder;

        Teardown(Path folder) {
            super("teardown");
            this.folder = folder;
        }

        @Override
        public void run() {
            stopAll();
        }

        void stopAll() {
            try {
                LocalCluster.discard(folder);
                try (Stream<Path> files = Files.walk(folder)) {
                    for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                        Files.deleteIfExists(file);
                    }
                }
            } catch (IOException e) {
                System.err.println("weir: " + folder + " can't be removed: " + e.getMessage());
            }
        }
    }
}
