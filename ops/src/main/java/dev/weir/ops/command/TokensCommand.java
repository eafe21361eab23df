package dev.weir.ops.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.ops.client.ClusterClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir tokens}. */
@Command(name = "tokens", mixinStandardHelpOptions = true, description = "Tokens: who may do what in which tenant.")
public final class TokensCommand {
    private static final String PATH = "/api/v1/admin/tokens";

    @Command(
            mixinStandardHelpOptions = true,
            description = "Makes a token and prints it. It is shown this once: the cluster keeps a hash only.")
    int create(
            @Option(names = "--tenant", paramLabel = "T", required = true, description = "Whose data it opens.")
                    String tenant,
            @Option(
                            names = "--scope",
                            paramLabel = "SCOPE",
                            split = ",",
                            required = true,
                            description = "write, read, cdc, admin; several separated by commas.")
                    List<String> scopes,
            @Mixin ConnectionOptions connection,
            @Mixin OutputOptions output) {
        try (ClusterClient client = connection.open()) {
            JsonNode made = client.send("POST", PATH, Map.of("tenant", tenant, "scopes", scopes));
            output.result(made, made.path("token").asText());
            return 0;
        }
    }

    @Command(mixinStandardHelpOptions = true, description = "All tokens, without their secrets.")
    int list(@Mixin ConnectionOptions connection, @Mixin OutputOptions output) {
        try (ClusterClient client = connection.open()) {
            output.answer(client.get(PATH), TokensCommand::table);
            return 0;
        }
    }

    @Command(mixinStandardHelpOptions = true, description = "Makes a token worthless, at once and on all nodes.")
    int revoke(
            @Parameters(paramLabel = "ID", description = "As weir tokens list shows it.") String id,
            @Mixin ConnectionOptions connection,
            @Mixin OutputOptions output) {
        try (ClusterClient client = connection.open()) {
            JsonNode answer = client.delete(PATH + "/" + ClusterClient.encoded(id));
            output.result(answer, "token " + id + " is revoked");
            return 0;
        }
    }

    private static TextTable table(JsonNode answer) {
        TextTable table = new TextTable("ID", "TENANT", "SCOPES");
        for (JsonNode token : answer.path("tokens")) {
            List<String> scopes = new ArrayList<>();
            token.path("scopes").forEach(scope -> scopes.add(scope.asText()));
            table.row(token.path("id").asText(), token.path("tenant").asText(), String.join(",", scopes));
        }
        return table;
    }
}
