package dev.weir.ops.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.ops.client.ClusterClient;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir latest} and {@code weir series}: what the cluster holds of a measurement. */
public final class ReadCommand {
    private ReadCommand() {}

    /** {@code weir latest}. */
    @Command(
            name = "latest",
            mixinStandardHelpOptions = true,
            description = "The last point of each series of a measurement.")
    public static final class Latest extends Reading {
        @Override
        String path() {
            return "/api/v1/latest";
        }
    }

    /** {@code weir series}. */
    @Command(name = "series", mixinStandardHelpOptions = true, description = "The series of a measurement.")
    public static final class Series extends Reading {
        @Override
        String path() {
            return "/api/v1/series";
        }
    }

    /** What both share: one GET, a table. */
    abstract static class Reading implements java.util.concurrent.Callable<Integer> {
        @Parameters(paramLabel = "MEASUREMENT")
        String measurement = "";

        @Option(
                names = "--consistency",
                paramLabel = "leader|any",
                defaultValue = "leader",
                description =
                        "leader: all that was acknowledged; any: what the node at hand holds. Default: ${DEFAULT-VALUE}.")
        String consistency = "leader";

        @Mixin
        TagFilter filter = new TagFilter();

        @Mixin
        ConnectionOptions connection = new ConnectionOptions();

        @Mixin
        OutputOptions output = new OutputOptions();

        abstract String path();

        @Override
        public Integer call() {
            try (ClusterClient client = connection.open()) {
                JsonNode answer = client.get(path() + "?measurement=" + ClusterClient.encoded(measurement)
                        + "&consistency=" + ClusterClient.encoded(consistency) + filter.parameters());
                output.answer(answer, ReadCommand::table);
                return 0;
            }
        }
    }

    /** An answer of columns and rows as a table. */
    public static TextTable table(JsonNode answer) {
        List<String> names = new ArrayList<>();
        answer.path("columns").forEach(column -> names.add(column.path("name").asText()));
        TextTable table = new TextTable(names.toArray(String[]::new));
        for (JsonNode row : answer.path("rows")) {
            Object[] cells = new Object[names.size()];
            for (int i = 0; i < cells.length; i++) {
                JsonNode cell = row.path(i);
                cells[i] = cell.isNull() || cell.isMissingNode() ? "-" : cell.isValueNode() ? cell.asText() : cell;
            }
            table.row(cells);
        }
        return table;
    }
}
