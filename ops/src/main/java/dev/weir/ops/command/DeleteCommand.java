package dev.weir.ops.command;

import dev.weir.ops.client.Answer;
import dev.weir.ops.client.ClusterClient;
import dev.weir.ops.client.Json;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir delete}: one series, or a whole measurement where that is said aloud. */
@Command(name = "delete", mixinStandardHelpOptions = true, description = "Deletes a series, or a whole measurement.")
public final class DeleteCommand implements Callable<Integer> {
    @Parameters(paramLabel = "MEASUREMENT")
    String measurement = "";

    @ArgGroup(multiplicity = "1")
    What what = new What();

    @Mixin
    ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    OutputOptions output = new OutputOptions();

    /** Exactly one of these. */
    static final class What {
        @Option(
                names = "--tag",
                paramLabel = "KEY=VALUE",
                description = "A tag of the series to delete. Give all its tags: exactly that series goes.")
        Map<String, String> tags = new LinkedHashMap<>();

        @Option(names = "--untagged", description = "The series without tags.")
        boolean untagged;

        @Option(names = "--all", description = "The whole measurement.")
        boolean all;
    }

    @Override
    public Integer call() {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("measurement", measurement);
        if (!what.all) {
            body.put("tags", what.tags);
        }
        try (ClusterClient client = connection.open()) {
            Answer answer = client.call(
                            "POST",
                            "/api/v1/delete",
                            BodyPublishers.ofString(Json.compact(body)),
                            Map.of("Content-Type", "application/json"))
                    .orFail();
            Map<String, Object> result = new LinkedHashMap<>(body);
            answer.commit().ifPresent(commit -> result.put("commit", commit));
            output.result(result, "deleted " + (what.all ? "measurement " + measurement : "the series"));
            return 0;
        }
    }
}
