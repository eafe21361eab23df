package dev.weir.ops.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.ops.client.ClusterClient;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code weir orphans}: what sweeps will remove from the object store. */
@Command(
        name = "orphans",
        mixinStandardHelpOptions = true,
        description = {
            "Files in the object store that belong to nobody: left over from work that failed, replaced by merges, of dropped tables.",
            "They go by themselves, store.orphan-age after a partition's leader first saw them; it looks four times in that time."
        })
public final class OrphansCommand implements Callable<Integer> {
    @Mixin
    ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        try (ClusterClient client = connection.open()) {
            JsonNode answer = client.get("/api/v1/admin/orphans");
            if (output.json()) {
                output.printJson(answer);
                return 0;
            }
            TextTable table = new TextTable("PARTITION", "SIZE", "GOES IN", "KEY");
            for (JsonNode orphan : answer.path("orphans")) {
                JsonNode seconds = orphan.path("goes_in_seconds");
                table.row(
                        orphan.path("partition").asInt(),
                        StatusTables.size(orphan.path("bytes").asLong()),
                        seconds.isNull() ? "-" : seconds.asLong() + " s",
                        orphan.path("key").asText());
            }
            output.print(table);
            long more = answer.path("files").asLong() - answer.path("orphans").size();
            if (more > 0) {
                output.line("and %,d more".formatted(more));
            }
            answer.path("silent_nodes").forEach(node -> output.line(node.asText() + " does not answer"));
            return 0;
        }
    }
}
