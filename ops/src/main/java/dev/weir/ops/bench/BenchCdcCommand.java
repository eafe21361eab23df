package dev.weir.ops.bench;

import dev.weir.ops.bench.LoadRun.Traffic;
import dev.weir.ops.client.ClusterClient;
import dev.weir.ops.client.ClusterStatus;
import dev.weir.ops.client.CommandFailedException;
import dev.weir.ops.client.Json;
import dev.weir.ops.command.OutputOptions;
import dev.weir.ops.local.Waiting;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code weir bench cdc}: how long a change takes to its subscribers, and how fast they catch up. */
@Command(
        name = "cdc",
        mixinStandardHelpOptions = true,
        description = {
            "Writes single points at a fixed rate and measures from sending, and from the acknowledgement, to each subscriber.",
            "With --catch-up: subscribers read the whole log, and their events per second are added up."
        })
final class BenchCdcCommand implements Callable<Integer> {
    private static final Duration TAIL = Duration.ofSeconds(20);

    @Option(names = "--rate", defaultValue = "1000", description = "Points a second. Default: ${DEFAULT-VALUE}.")
    int rate;

    @Option(names = "--seconds", defaultValue = "20", description = "How long is measured. Default: ${DEFAULT-VALUE}.")
    int seconds;

    @Option(names = "--warmup", defaultValue = "10", description = "Seconds before. Default: ${DEFAULT-VALUE}.")
    int warmupSeconds;

    @Option(names = "--subscribers", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}.")
    int subscribers;

    @Option(
            names = "--clients",
            defaultValue = "32",
            description = "Connections that write. Default: ${DEFAULT-VALUE}.")
    int clients;

    @Option(names = "--hosts", defaultValue = "100", description = "Series. Default: ${DEFAULT-VALUE}.")
    int hosts;

    @Option(names = "--catch-up", description = "Read what is there from the earliest event on instead.")
    boolean catchUp;

    @Option(names = "--measurement", description = "With --catch-up: only this measurement. Default: all.")
    String measurement = "";

    @Option(
            names = "--format",
            paramLabel = "sse|arrow",
            defaultValue = "sse",
            description = "Of the streams. Default: ${DEFAULT-VALUE}.")
    Format format = Format.sse;

    @Option(
            names = "--compression",
            paramLabel = "none|zstd",
            defaultValue = "none",
            description = "With --format arrow. Default: ${DEFAULT-VALUE}.")
    String compression = "none";

    @Option(
            names = "--layout",
            paramLabel = "full|fixed|typed",
            defaultValue = "full",
            description = "With --format arrow. Default: ${DEFAULT-VALUE}.")
    String layout = "full";

    /** Named as on the command line. */
    enum Format {
        sse,
        arrow
    }

    @Mixin
    BenchTarget target = new BenchTarget();

    @Mixin
    OutputOptions output = new OutputOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (catchUp) {
            return catchUp();
        }
        String table = "bench_cdc_" + Long.toString(System.currentTimeMillis(), 36);
        int before = rate * warmupSeconds;
        int total = before + rate * seconds;
        DeliveryTimes times = new DeliveryTimes(total, before, subscribers);
        try (Subscriptions readers = openLive("from=now&measurement=" + table, times)) {
            double cpuBefore = ProcessTime.seconds(target.serverPids());
            new LoadRun(points(table, total), traffic(times)).run();
            Waiting.until(TAIL, () -> times.missing() == 0);
            double cpu = ProcessTime.seconds(target.serverPids()) - cpuBefore;
            report(times, cpu);
            return times.missing() == 0 ? 0 : CommandFailedException.TIMED_OUT;
        }
    }

    /** What comes is read out of the text of the batches, which therefore must not be compressed. */
    private Subscriptions openLive(String query, DeliveryTimes times) throws IOException {
        if (format == Format.sse) {
            return Subscriptions.open(target, subscribers, query, times);
        }
        if (!compression.equals("none") || layout.equals("typed")) {
            throw CommandFailedException.refused(
                    "without --catch-up Arrow is read as text, expected --compression none and another --layout than typed");
        }
        return Subscriptions.openArrow(target, subscribers, query + "&layout=" + layout, times::body);
    }

    private Traffic traffic(DeliveryTimes times) {
        return new Traffic(
                target.nodes(),
                "/api/v2/write?precision=ns",
                target.token(),
                target.timeout(),
                clients,
                Duration.ofNanos(1_000_000_000L / rate),
                times);
    }

    private List<byte[]> points(String table, int count) {
        long now = System.currentTimeMillis() * 1_000_000L;
        List<byte[]> bodies = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            bodies.add((table + ",host=host_" + i % hosts + " n=" + i + "i,value=" + i % 1000 + ".5 "
                            + (now + i * 1000L) + "\n")
                    .getBytes(StandardCharsets.UTF_8));
        }
        return bodies;
    }

    private void report(DeliveryTimes times, double cpu) {
        long missing = times.missing();
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("rate", rate);
        figures.put("subscribers", subscribers);
        figures.put("partitions", partitions());
        figures.put("send_to_acknowledged", times.sendToAcknowledged().json());
        figures.put("send_to_received", times.sendToReceived().json());
        figures.put("acknowledged_to_received", times.acknowledgedToReceived().json());
        figures.put("missing", missing);
        figures.put("server_cpu_seconds", cpu);
        if (output.json()) {
            output.printJson(Json.MAPPER.valueToTree(figures));
            return;
        }
        output.line("%,d points/s for %d s to %d subscribers, %s partitions; missing %d"
                .formatted(rate, seconds, subscribers, figures.get("partitions"), missing));
        output.line("send to acknowledgement:      " + times.sendToAcknowledged());
        output.line("send to received:             " + times.sendToReceived());
        output.line("acknowledgement to received:  " + times.acknowledgedToReceived());
        if (cpu > 0) {
            output.line("CPU of the servers: %.2f s, %.2f of a core".formatted(cpu, cpu / (warmupSeconds + seconds)));
        }
    }

    private int partitions() {
        try (ClusterClient client = target.open()) {
            return ClusterStatus.read(client).partitions().size();
        }
    }

    private int catchUp() throws IOException, InterruptedException {
        String query =
                "from=earliest" + (measurement.isEmpty() ? "" : "&measurement=" + ClusterClient.encoded(measurement));
        ArrivalClock clock = new ArrivalClock();
        double cpuBefore = ProcessTime.seconds(target.serverPids());
        double ownBefore = ProcessTime.own();
        long start = System.nanoTime();
        try (Subscriptions readers = open(query, clock)) {
            Waiting.until(Duration.ofMinutes(5), clock::hasComeToRest);
            CatchUp reached = CatchUp.of(readers.counts(), readers.ended());
            long events = reached.events();
            double took = Math.max(clock.lastNanos() - start, 1) / 1e9;
            Map<String, Object> figures = new LinkedHashMap<>();
            figures.put("subscribers", subscribers);
            figures.put("events", events);
            figures.put("least", reached.least());
            figures.put("most", reached.most());
            figures.put("seconds", took);
            figures.put("events_per_second", Math.round(events / took));
            figures.put("bytes_per_event", events == 0 ? 0 : readers.bytes() / events);
            figures.put("server_cpu_seconds", ProcessTime.seconds(target.serverPids()) - cpuBefore);
            figures.put("client_cpu_seconds", ProcessTime.own() - ownBefore);
            if (output.json()) {
                output.printJson(Json.MAPPER.valueToTree(figures));
            } else {
                output.line(
                        "%,d events/s in sum: %,d events of %,d bytes to %d subscribers in %.2f s; CPU: servers %.2f s, this client %.2f s"
                                .formatted(
                                        Math.round(events / took),
                                        events,
                                        events == 0 ? 0 : readers.bytes() / events,
                                        subscribers,
                                        took,
                                        ProcessTime.seconds(target.serverPids()) - cpuBefore,
                                        ProcessTime.own() - ownBefore));
            }
            if (!reached.isWhole()) {
                output.err().println("weir: " + reached);
                return CommandFailedException.TIMED_OUT;
            }
            return 0;
        }
    }

    private Subscriptions open(String query, ArrivalClock clock) throws IOException {
        return switch (format) {
            case sse -> Subscriptions.open(target, subscribers, query, clock);
            case arrow ->
                Subscriptions.openArrow(
                        target,
                        subscribers,
                        query + "&layout=" + layout + "&compression=" + compression,
                        clock::arrived);
        };
    }
}
