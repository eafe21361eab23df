package dev.weir.ops.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.ops.client.ClusterClient;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir subscriptions}. */
@Command(
        name = "subscriptions",
        mixinStandardHelpOptions = true,
        description = "Named consumers of the change stream, whose place the cluster keeps.")
public final class SubscriptionsCommand {
    private static final String PATH = "/api/v1/cdc/subscriptions";

    @Command(mixinStandardHelpOptions = true, description = "All subscriptions, and how far each is behind.")
    int list(@Mixin ConnectionOptions connection, @Mixin OutputOptions output) {
        try (ClusterClient client = connection.open()) {
            output.answer(client.get(PATH), SubscriptionText::all);
            return 0;
        }
    }

    @Command(mixinStandardHelpOptions = true, description = "One subscription: its place, and how far it is behind.")
    int show(
            @Parameters(paramLabel = "NAME") String name,
            @Mixin ConnectionOptions connection,
            @Mixin OutputOptions output) {
        try (ClusterClient client = connection.open()) {
            output.answer(client.get(path(name)), SubscriptionText::table);
            return 0;
        }
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "Makes a subscription, or changes the budget of one that is there.")
    int create(
            @Parameters(paramLabel = "NAME") String name,
            @Option(
                            names = "--from",
                            paramLabel = "WHERE",
                            defaultValue = "now",
                            description = "now, earliest, an RFC 3339 time, or a cursor. Default: ${DEFAULT-VALUE}.")
                    String from,
            @Option(
                            names = "--budget-bytes",
                            paramLabel = "SIZE",
                            description = "Log held for it beyond the retention, such as 10GiB; with --budget-age.")
                    @Nullable
                    String budgetBytes,
            @Option(
                            names = "--budget-age",
                            paramLabel = "AGE",
                            description = "How old that log may be, such as 14d; with --budget-bytes.")
                    @Nullable
                    String budgetAge,
            @Mixin ChangeFilterOptions filter,
            @Mixin ConnectionOptions connection,
            @Mixin OutputOptions output) {
        Map<String, String> budget = new LinkedHashMap<>();
        if (budgetBytes != null) {
            budget.put("bytes", budgetBytes);
        }
        if (budgetAge != null) {
            budget.put("age", budgetAge);
        }
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("filter", filter.json());
        body.put("from", from);
        body.put("budget", budget);
        try (ClusterClient client = connection.open()) {
            output.answer(client.send("PUT", path(name), body), SubscriptionText::table);
            return 0;
        }
    }

    @Command(mixinStandardHelpOptions = true, description = "Forgets a subscription and its place; its streams end.")
    int delete(
            @Parameters(paramLabel = "NAME") String name,
            @Mixin ConnectionOptions connection,
            @Mixin OutputOptions output) {
        try (ClusterClient client = connection.open()) {
            output.result(client.delete(path(name)), "subscription " + name + " is gone");
            return 0;
        }
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "Moves a subscription; its streams end, and come back at the new place.")
    int seek(
            @Parameters(paramLabel = "NAME") String name,
            @Option(
                            names = "--to",
                            paramLabel = "WHERE",
                            required = true,
                            description = "earliest, latest, an RFC 3339 time, or a cursor.")
                    String to,
            @Mixin ConnectionOptions connection,
            @Mixin OutputOptions output) {
        try (ClusterClient client = connection.open()) {
            output.answer(client.send("POST", path(name) + "/seek", Map.of("to", to)), SubscriptionText::table);
            return 0;
        }
    }

    @Command(mixinStandardHelpOptions = true, description = "Acknowledges everything before a cursor.")
    int ack(
            @Parameters(paramLabel = "NAME") String name,
            @Option(
                            names = "--cursor",
                            paramLabel = "CURSOR",
                            required = true,
                            description = "The id of an event or a checkpoint.")
                    String cursor,
            @Option(
                            names = "--member",
                            paramLabel = "MEMBER",
                            description = "Of the group that reads it; with --generation.")
                    @Nullable
                    String member,
            @Option(
                            names = "--generation",
                            paramLabel = "N",
                            description = "Header Weir-Generation of the stream; of an older one it is refused.")
                    @Nullable
                    Long generation,
            @Mixin ConnectionOptions connection,
            @Mixin OutputOptions output) {
        Map<String, Object> body = new LinkedHashMap<>(Map.of("cursor", cursor));
        if (member != null) {
            body.put("member", member);
        }
        if (generation != null) {
            body.put("generation", generation);
        }
        try (ClusterClient client = connection.open()) {
            JsonNode answer = client.send("POST", path(name) + "/ack", body);
            output.result(answer, "committed");
            return 0;
        }
    }

    private static String path(String name) {
        return PATH + "/" + ClusterClient.encoded(name).replace("+", "%20");
    }
}
