package dev.weir.ops.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.ops.client.ClusterClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code weir tenants}. */
@Command(
        name = "tenants",
        mixinStandardHelpOptions = true,
        description = "Tenants, and the names that Influx clients may call them by.")
public final class TenantsCommand {
    private static final String PATH = "/api/v1/admin/tenants";

    @Command(mixinStandardHelpOptions = true, description = "Makes a tenant.")
    int create(
            @Parameters(paramLabel = "NAME") String name,
            @Mixin ConnectionOptions connection,
            @Mixin OutputOptions output) {
        try (ClusterClient client = connection.open()) {
            JsonNode made = client.send("POST", PATH, Map.of("name", name));
            output.result(made, "tenant " + name + " is there");
            return 0;
        }
    }

    @Command(mixinStandardHelpOptions = true, description = "All tenants.")
    int list(@Mixin ConnectionOptions connection, @Mixin OutputOptions output) {
        try (ClusterClient client = connection.open()) {
            output.answer(client.get(PATH), TenantsCommand::table);
            return 0;
        }
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "Lets bucket= and db= of Influx clients call a tenant by another name.")
    int alias(
            @Parameters(paramLabel = "TENANT") String tenant,
            @Parameters(paramLabel = "ALIAS") String alias,
            @Mixin ConnectionOptions connection,
            @Mixin OutputOptions output) {
        try (ClusterClient client = connection.open()) {
            JsonNode made = client.send(
                    "POST", PATH + "/" + ClusterClient.encoded(tenant) + "/aliases", Map.of("alias", alias));
            output.result(made, alias + " now means tenant " + tenant);
            return 0;
        }
    }

    private static TextTable table(JsonNode answer) {
        TextTable table = new TextTable("TENANT", "ALIASES");
        for (JsonNode tenant : answer.path("tenants")) {
            List<String> aliases = new ArrayList<>();
            tenant.path("aliases").forEach(alias -> aliases.add(alias.asText()));
            table.row(tenant.path("name").asText(), StatusTables.orDash(String.join(",", aliases)));
        }
        return table;
    }
}
