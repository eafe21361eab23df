package dev.weir.ops.bench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.ops.bench.LoadRun.Outcome;
import dev.weir.ops.bench.LoadRun.Traffic;
import dev.weir.ops.client.ClusterClient;
import dev.weir.ops.client.ClusterStatus;
import dev.weir.ops.client.CommandFailedException;
import dev.weir.ops.client.Json;
import dev.weir.ops.command.OutputOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code weir bench ingest}: rows per second, time to the acknowledgement, and what they cost the servers. */
@Command(
        name = "ingest",
        mixinStandardHelpOptions = true,
        description = {
            "Writes rows of the shape TSBS cpu-only (10 tags, 10 floats, about 366 bytes) and prints what came of it.",
            "Closed loop: as fast as it goes. With --rate open loop: latency counts from when a body was due."
        })
final class BenchIngestCommand implements Callable<Integer> {
    private static final Instant FIRST_START = Instant.parse("2026-01-01T00:00:00Z");
    private static final long SEED = 20260101;

    @Option(
            names = "--rows",
            defaultValue = "1000000",
            description = "Rows that are measured. Default: ${DEFAULT-VALUE}.")
    int rows;

    @Option(
            names = "--warmup",
            defaultValue = "300000",
            description = "Rows written before. Default: ${DEFAULT-VALUE}.")
    int warmup;

    @Option(names = "--batch", defaultValue = "5000", description = "Rows a body. Default: ${DEFAULT-VALUE}.")
    int batch;

    @Option(
            names = "--clients",
            defaultValue = "4",
            description = "Clients, spread over the nodes in turn. Default: ${DEFAULT-VALUE}.")
    int clients;

    @Option(names = "--hosts", defaultValue = "1000", description = "Series. Default: ${DEFAULT-VALUE}.")
    int hosts;

    @Option(
            names = "--rate",
            defaultValue = "0",
            description = "Rows a second, open loop. 0 is the closed loop. Default: ${DEFAULT-VALUE}.")
    int rate;

    @Option(
            names = "--rounds",
            defaultValue = "1",
            description = "How often the rows are sent, each time with later times; latency is printed for each."
                    + " Default: ${DEFAULT-VALUE}.")
    int rounds;

    @Option(names = "--measurement", defaultValue = "cpu", description = "Default: ${DEFAULT-VALUE}.")
    String measurement = "cpu";

    @Mixin
    BenchTarget target = new BenchTarget();

    @Mixin
    OutputOptions output = new OutputOptions();

    @Override
    public Integer call() throws InterruptedException {
        requireFitsHeap();
        if (rounds < 1 || (rounds > 1 && rows % hosts != 0)) {
            throw CommandFailedException.refused(
                    "--rounds: expected 1 or more, and above 1 --rows that --hosts divides, found " + rounds
                            + " rounds of " + rows + " rows over " + hosts + " hosts");
        }
        try (ClusterClient client = target.open()) {
            CpuRows source = new CpuRows(measurement, hosts, startNanos(client), SEED);
            new LoadRun(bodies(source, warmup), traffic(0, new Silent())).run();
            RepeatedBodies bodies = new RepeatedBodies(bodies(source, rows), rounds, rows / hosts * CpuRows.STEP_NANOS);
            RoundLatencies byRound = new RoundLatencies(bodies, rounds);
            ClusterStatus before = target.drained(client);
            double cpuBefore = ProcessTime.seconds(target.serverPids());
            double ownBefore = ProcessTime.own();
            Outcome outcome = new LoadRun(bodies, traffic(rate, byRound)).run();
            double own = ProcessTime.own() - ownBefore;
            ClusterStatus after = target.drained(client);
            double cpu = ProcessTime.seconds(target.serverPids()) - cpuBefore;
            report(outcome, byRound, before, after, cpu, own);
            return 0;
        }
    }

    private Traffic traffic(int rowsPerSecond, LoadRun.Observer observer) {
        Duration interval = rowsPerSecond == 0 ? Duration.ZERO : Duration.ofNanos((long) (1e9 * batch / rowsPerSecond));
        return new Traffic(
                target.nodes(),
                "/api/v2/write?precision=ns",
                target.token(),
                target.timeout(),
                clients,
                interval,
                observer);
    }

    private List<byte[]> bodies(CpuRows source, int count) {
        List<byte[]> bodies = new ArrayList<>(count / batch + 1);
        for (int left = count; left > 0; left -= batch) {
            bodies.add(source.next(Math.min(batch, left)));
        }
        return bodies;
    }

    /** After the newest row that is there, so that a second run writes new rows as well. */
    private long startNanos(ClusterClient client) {
        long newest = 0;
        try {
            JsonNode latest = client.get("/api/v1/latest?epoch=ns&measurement=" + ClusterClient.encoded(measurement));
            newest = newest(latest);
        } catch (CommandFailedException e) {
            if (e.exitCode() != CommandFailedException.REFUSED) {
                throw e;
            }
        }
        long first = FIRST_START.getEpochSecond() * 1_000_000_000L;
        return Math.max(first, newest + CpuRows.STEP_NANOS);
    }

    private static long newest(JsonNode latest) {
        int time = -1;
        for (int i = 0; i < latest.path("columns").size(); i++) {
            if (latest.path("columns").path(i).path("name").asText().equals("time")) {
                time = i;
            }
        }
        long newest = 0;
        for (JsonNode row : latest.path("rows")) {
            JsonNode cell = row.path(time);
            newest = Math.max(newest, cell.isNumber() ? cell.asLong() : nanos(cell.asText()));
        }
        return newest;
    }

    private static long nanos(String text) {
        Instant instant = Instant.parse(text.replace(' ', 'T') + (text.endsWith("Z") ? "" : "Z"));
        return instant.getEpochSecond() * 1_000_000_000L + instant.getNano();
    }

    private void requireFitsHeap() {
        long needed = (long) Math.max(rows, warmup) * CpuRows.BYTES_ABOUT;
        long room = Runtime.getRuntime().maxMemory() * 2 / 3;
        if (needed > room) {
            throw CommandFailedException.refused("bodies are made before the clock starts: expected at most "
                    + room / CpuRows.BYTES_ABOUT + " rows in this heap, found " + Math.max(rows, warmup)
                    + "; set WEIR_BENCH_HEAP, for example to 8g");
        }
    }

    private void report(
            Outcome outcome,
            RoundLatencies byRound,
            ClusterStatus before,
            ClusterStatus after,
            double cpu,
            double own) {
        long sent = (long) rows * rounds;
        double millions = sent / 1e6;
        double bodyBytes = (double) byRound.bodies().bytes() / sent;
        double logBytes = (double) (logBytes(after) - logBytes(before)) / sent;
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("rows_per_second", Math.round(sent / outcome.seconds()));
        figures.put("rows", sent);
        figures.put("seconds", outcome.seconds());
        figures.put("nodes", after.nodes().size());
        figures.put("replication_factor", after.cluster().replicationFactor());
        figures.put("partitions", after.partitions().size());
        figures.put("batch", batch);
        figures.put("clients", clients);
        figures.put("hosts", hosts);
        figures.put("rate", rate);
        figures.put("acknowledged", outcome.acknowledged().json());
        figures.put("rounds", byRound.rounds().stream().map(Latencies::json).toList());
        figures.put("sent_again", outcome.sentAgain());
        OptionalDouble serverCpu =
                target.serverPids().isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(cpu / millions);
        serverCpu.ifPresent(seconds -> figures.put("server_cpu_seconds_per_million_rows", seconds));
        figures.put("client_cpu_seconds_per_million_rows", own / millions);
        figures.put("log_bytes_per_row", logBytes);
        figures.put("body_bytes_per_row", bodyBytes);
        if (output.json()) {
            output.printJson(Json.MAPPER.valueToTree(figures));
            return;
        }
        output.line(
                "%,d rows/s: %,d rows in %.2f s; %d nodes, RF %d, %d partitions, batches of %,d, %d clients, %,d series%s"
                        .formatted(
                                Math.round(sent / outcome.seconds()),
                                sent,
                                outcome.seconds(),
                                after.nodes().size(),
                                after.cluster().replicationFactor(),
                                after.partitions().size(),
                                batch,
                                clients,
                                hosts,
                                rate == 0 ? "" : ", open loop at %,d rows/s".formatted(rate)));
        output.line("send to acknowledgement: " + outcome.acknowledged());
        for (int i = 0; rounds > 1 && i < rounds; i++) {
            output.line("  round %d: %s".formatted(i + 1, byRound.rounds().get(i)));
        }
        output.line("CPU seconds per million rows: servers %s, this client %.2f"
                .formatted(
                        serverCpu.isPresent()
                                ? "%.2f".formatted(serverCpu.getAsDouble())
                                : "not known (--dir or --pids)",
                        own / millions));
        output.line("bytes a row: %.0f as line protocol, %.1f more in the log of one replica; sent again %,d times"
                .formatted(bodyBytes, logBytes, outcome.sentAgain()));
    }

    private static long logBytes(ClusterStatus status) {
        return status.partitions().stream()
                .mapToLong(ClusterStatus.Partition::bytes)
                .sum();
    }

    /** Latency is measured by the run itself. */
    private static final class Silent implements LoadRun.Observer {
        @Override
        public void sending(int body, long dueNanos) {}

        @Override
        public void acknowledged(int body, long nanos) {}
    }
}
