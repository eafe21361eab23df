package dev.weir.ops.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.ops.client.ClusterClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code weir sql}: one statement, its answer as a table or as the server's JSON. */
@Command(name = "sql", mixinStandardHelpOptions = true, description = "Runs one SQL statement.")
public final class SqlCommand implements Callable<Integer> {
    @Parameters(paramLabel = "STATEMENT", description = "The statement; - reads it from the standard input.")
    String statement = "";

    @Mixin
    ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    OutputOptions output = new OutputOptions();

    @Override
    public Integer call() throws IOException {
        String text = statement.equals("-") ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8) : statement;
        try (ClusterClient client = connection.open()) {
            JsonNode answer = run(client, text);
            if (output.json()) {
                output.printJson(answer);
            } else {
                output.print(ReadCommand.table(answer));
            }
            return 0;
        }
    }

    /** Runs a statement at a node of the cluster. */
    public static JsonNode run(ClusterClient client, String statement) {
        return client.send("POST", "/api/v1/sql", Map.of("query", statement));
    }
}
