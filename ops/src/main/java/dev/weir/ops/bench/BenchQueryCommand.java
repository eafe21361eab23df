package dev.weir.ops.bench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.ops.bench.CpuQueries.Extent;
import dev.weir.ops.bench.CpuQueries.Kind;
import dev.weir.ops.client.ClusterClient;
import dev.weir.ops.client.CommandFailedException;
import dev.weir.ops.client.Json;
import dev.weir.ops.command.OutputOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code weir bench query}: how long the devops queries of TSBS take over what {@code weir bench ingest} wrote. */
@Command(
        name = "query",
        mixinStandardHelpOptions = true,
        description = {
            "Runs the TSBS devops queries over the rows of weir bench ingest, one at a time over one connection,",
            "and prints how long they took from request to the last byte of the answer."
        })
final class BenchQueryCommand implements Callable<Integer> {
    private static final long SEED = 20260102;

    @Option(names = "--times", defaultValue = "100", description = "Measured runs of each. Default: ${DEFAULT-VALUE}.")
    int times;

    @Option(names = "--warmup", defaultValue = "30", description = "Runs of each before. Default: ${DEFAULT-VALUE}.")
    int warmup;

    @Option(names = "--measurement", defaultValue = "cpu", description = "Default: ${DEFAULT-VALUE}.")
    String measurement = "cpu";

    @Option(
            names = "--only",
            paramLabel = "NAME,NAME",
            split = ",",
            description = "Of single-groupby-1-1-1, double-groupby-1, lastpoint, high-cpu-all. Default: all.")
    List<String> only = List.of();

    @Option(
            names = "--print",
            description = "Prints one statement of each kind and runs none: for comparison with other engines.")
    boolean print;

    @Mixin
    BenchTarget target = new BenchTarget();

    @Mixin
    OutputOptions output = new OutputOptions();

    @Override
    public Integer call() throws IOException {
        CpuQueries queries;
        try (ClusterClient client = target.open()) {
            queries = new CpuQueries(measurement, extent(client), SEED);
        }
        Map<String, Object> figures = new LinkedHashMap<>();
        for (Kind kind : kinds()) {
            if (print) {
                output.line(queries.next(kind) + ";");
            } else {
                figures.put(kind.name(), measured(kind, queries));
            }
        }
        if (output.json() && !print) {
            output.printJson(Json.MAPPER.valueToTree(figures));
        }
        return 0;
    }

    private List<Kind> kinds() {
        List<String> names = CpuQueries.KINDS.stream().map(Kind::name).toList();
        for (String name : only) {
            if (!names.contains(name)) {
                throw CommandFailedException.refused(
                        "--only: expected one of " + String.join(", ", names) + ", found " + name);
            }
        }
        return CpuQueries.KINDS.stream()
                .filter(kind -> only.isEmpty() || only.contains(kind.name()))
                .toList();
    }

    private Extent extent(ClusterClient client) {
        JsonNode row = client.sql("SELECT epoch_ns(min(time)), epoch_ns(max(time)), count(DISTINCT hostname) FROM \""
                        + measurement.replace("\"", "\"\"") + "\"")
                .path("rows")
                .path(0);
        if (row.path(2).asInt() == 0) {
            throw CommandFailedException.refused(
                    "expected rows of weir bench ingest in " + measurement + ", found an empty table");
        }
        return new Extent(
                row.path(0).asLong(), row.path(1).asLong(), row.path(2).asInt());
    }

    private Map<String, Object> measured(Kind kind, CpuQueries queries) throws IOException {
        URI node = target.nodes().getFirst();
        Latencies latencies = new Latencies();
        long bytes = 0;
        double cpu;
        try (RawConnection connection =
                new RawConnection(node, "/api/v1/sql", kind.accept(), target.token(), target.timeout())) {
            for (int i = 0; i < warmup; i++) {
                run(connection, queries.next(kind));
            }
            double before = ProcessTime.seconds(target.serverPids());
            for (int i = 0; i < times; i++) {
                String statement = queries.next(kind);
                long start = System.nanoTime();
                run(connection, statement);
                latencies.record(System.nanoTime() - start);
                bytes += connection.bodyBytes();
            }
            cpu = ProcessTime.seconds(target.serverPids()) - before;
        }
        Map<String, Object> figures = new LinkedHashMap<>(latencies.json());
        figures.put("answer_bytes", bytes / times);
        if (!target.serverPids().isEmpty()) {
            figures.put("server_cpu_ms", cpu * 1000 / times);
        }
        if (!output.json()) {
            output.line("%-22s %s; %,d bytes%s"
                    .formatted(
                            kind.name(),
                            latencies,
                            bytes / times,
                            target.serverPids().isEmpty()
                                    ? ""
                                    : "; servers %.1f CPU ms".formatted(cpu * 1000 / times)));
        }
        return figures;
    }

    private static void run(RawConnection connection, String statement) throws IOException {
        int status = connection.post(statement.getBytes(StandardCharsets.UTF_8));
        if (status != 200) {
            throw CommandFailedException.refused("expected 200, found " + status + " to " + statement);
        }
    }
}
