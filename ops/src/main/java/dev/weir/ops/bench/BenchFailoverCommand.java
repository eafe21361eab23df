package dev.weir.ops.bench;

import dev.weir.ops.client.ClusterClient;
import dev.weir.ops.client.ClusterStatus;
import dev.weir.ops.client.CommandFailedException;
import dev.weir.ops.client.Json;
import dev.weir.ops.command.OutputOptions;
import dev.weir.ops.local.LocalCluster;
import dev.weir.ops.local.Waiting;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code weir bench failover}: from kill -9 of a partition's leader to the next acknowledged write of that partition. */
@Command(
        name = "failover",
        mixinStandardHelpOptions = true,
        description = "Kills the leader of a partition with -9 again and again: time to the next acknowledged write.")
final class BenchFailoverCommand implements Callable<Integer> {
    private static final Duration READY_LIMIT = Duration.ofSeconds(90);
    private static final Duration LEADER_LIMIT = Duration.ofSeconds(30);

    @Option(names = "--times", defaultValue = "20", description = "How often. Default: ${DEFAULT-VALUE}.")
    int times;

    @Mixin
    BenchTarget target = new BenchTarget();

    @Mixin
    OutputOptions output = new OutputOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        LocalCluster cluster = target.localCluster();
        String table = "bench_failover_" + Long.toString(System.currentTimeMillis(), 36);
        int partition = partitionOf(table);
        List<Double> seconds = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            seconds.add(once(cluster, table, partition));
            if (!output.json()) {
                output.line("%2d: %.2f s".formatted(i + 1, seconds.getLast()));
            }
        }
        List<Double> sorted = seconds.stream().sorted().toList();
        double median = (sorted.get((times - 1) / 2) + sorted.get(times / 2)) / 2;
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("times", times);
        figures.put("median_seconds", median);
        figures.put("min_seconds", sorted.getFirst());
        figures.put("max_seconds", sorted.getLast());
        figures.put("seconds", seconds);
        if (output.json()) {
            output.printJson(Json.MAPPER.valueToTree(figures));
        } else {
            output.line("leader killed to next acknowledged write: median %.2f s, least %.2f s, most %.2f s of %d"
                    .formatted(median, sorted.getFirst(), sorted.getLast(), times));
        }
        return 0;
    }

    private double once(LocalCluster cluster, String table, int partition) throws IOException, InterruptedException {
        int leader = leaderOf(partition);
        List<URI> alive = target.nodes().stream()
                .filter(node -> !node.equals(target.nodes().get(leader - 1)))
                .collect(Collectors.toList());
        cluster.kill(leader);
        double seconds = new FailoverProbe(table, alive, target.token()).untilAcknowledged() / 1e9;
        cluster.restart(leader, READY_LIMIT);
        try (ClusterClient client = target.open()) {
            target.drained(client);
        }
        return seconds;
    }

    /** The number of the node that leads the partition; waits where none does. */
    private int leaderOf(int partition) {
        AtomicLong leader = new AtomicLong();
        try (ClusterClient client = target.open()) {
            Waiting.until(LEADER_LIMIT, () -> {
                String id = ClusterStatus.read(client)
                        .partition(partition)
                        .map(ClusterStatus.Partition::leader)
                        .orElse("");
                leader.set(id != null && id.startsWith("node") ? Long.parseLong(id.substring(4)) : 0);
                return leader.get() > 0;
            });
        }
        if (leader.get() == 0) {
            throw CommandFailedException.timedOut("partition " + partition + " has no leader");
        }
        return (int) leader.get();
    }

    /** Where the probed series lives, as its first event tells. */
    private int partitionOf(String table) throws IOException {
        AtomicLong partition = new AtomicLong(-1);
        byte[] name = "\"partition\":".getBytes(StandardCharsets.UTF_8);
        Subscriptions.Listener listener =
                (subscriber, line, length) -> partition.set(StreamReader.number(line, length, name));
        try (Subscriptions ignored = Subscriptions.open(target, 1, "from=now&measurement=" + table, listener)) {
            FailoverProbe probe = new FailoverProbe(table, target.nodes(), target.token());
            boolean written =
                    Waiting.until(LEADER_LIMIT, () -> probe.write(target.nodes().getFirst()));
            if (!written || !Waiting.until(LEADER_LIMIT, () -> partition.get() >= 0)) {
                throw CommandFailedException.timedOut("a point was written, but its event did not come");
            }
        }
        return (int) partition.get();
    }
}
