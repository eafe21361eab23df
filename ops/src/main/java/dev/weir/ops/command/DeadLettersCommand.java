package dev.weir.ops.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.ops.client.ClusterClient;
import dev.weir.ops.client.CommandFailedException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir dead-letters}. */
@Command(
        name = "dead-letters",
        mixinStandardHelpOptions = true,
        description = "Rows that writes refused: kept with their text and the reason in the table _dead_letters.")
public final class DeadLettersCommand {
    private static final String PATH = "/api/v1/dead-letters";
    private static final int PAGE = 1_000;
    private static final int CELL_CHARS = 60;
    private static final int SHOWN_MAX = 20;

    @Command(mixinStandardHelpOptions = true, description = "Lists letters, oldest first.")
    int list(
            @Mixin LetterFilterOptions filter,
            @Option(
                            names = "--limit",
                            paramLabel = "N",
                            defaultValue = "100",
                            description = "Letters at most. Default: ${DEFAULT-VALUE}.")
                    int limit,
            @Mixin ConnectionOptions connection,
            @Mixin OutputOptions output) {
        if (limit < 1) {
            throw CommandFailedException.refused("--limit: expected at least 1, found " + limit);
        }
        List<JsonNode> letters = new ArrayList<>();
        try (ClusterClient client = connection.open()) {
            Optional<String> after = Optional.empty();
            do {
                int want = Math.min(PAGE, limit - letters.size());
                JsonNode page = client.get(PATH + query(filter, want, after));
                page.path("letters").forEach(letters::add);
                after = Optional.ofNullable(page.path("after").textValue());
            } while (after.isPresent() && letters.size() < limit);
        }
        if (output.json()) {
            output.printJson(Map.of("letters", letters));
            return 0;
        }
        TextTable table = new TextTable("TIME", "CODE", "TABLE", "LINE", "TEXT", "ID");
        for (JsonNode letter : letters) {
            table.row(
                    letter.path("time").asText(),
                    letter.path("code").asText(),
                    StatusTables.orDash(letter.path("measurement").textValue()),
                    letter.path("line").asLong(),
                    cell(letter.path("text").asText()),
                    letter.path("id").asText());
        }
        output.print(table);
        return 0;
    }

    private static String query(LetterFilterOptions filter, int limit, Optional<String> after) {
        StringJoiner query = new StringJoiner("&", "?", "");
        query.add("limit=" + limit);
        filter.members().forEach((name, value) -> query.add(name + "=" + ClusterClient.encoded(value.toString())));
        after.ifPresent(id -> query.add("after=" + ClusterClient.encoded(id)));
        return query.toString();
    }

    /** One line of a table: control characters are shown as dots. */
    private static String cell(String text) {
        String plain = text.replaceAll("\\p{Cntrl}", "·");
        return plain.length() <= CELL_CHARS ? plain : plain.substring(0, CELL_CHARS - 1) + "…";
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = {
                "Writes the kept rows again, as they came. Those that are stored now are no letters any more;",
                "those refused again stay. Exit code 1 where some stay."
            })
    int replay(
            @Mixin LetterFilterOptions filter,
            @Option(names = "--dry-run", description = "Only counts.") boolean dryRun,
            @Mixin ConnectionOptions connection,
            @Mixin OutputOptions output) {
        Map<String, Object> body = filter.members();
        // What is refused meanwhile is not part of it, else there may be no end.
        body.put("before", Instant.now().plusSeconds(1).toString());
        try (ClusterClient client = connection.open()) {
            if (dryRun) {
                return counted(client, "replay", body, output, "would be written again");
            }
            long replayed = 0;
            long truncated = 0;
            List<JsonNode> left = new ArrayList<>();
            long leftCount = 0;
            Optional<String> after = Optional.empty();
            do {
                after.ifPresent(id -> body.put("after", id));
                JsonNode done = client.send("POST", PATH + "/replay", body);
                replayed += done.path("replayed").asLong();
                truncated += done.path("truncated").asLong();
                leftCount += done.path("left").size();
                for (JsonNode each : done.path("left")) {
                    if (left.size() < PAGE) {
                        left.add(each);
                    }
                }
                after = Optional.ofNullable(done.path("after").textValue());
            } while (after.isPresent());
            report(output, replayed, leftCount, truncated, left);
            return leftCount + truncated == 0 ? 0 : CommandFailedException.REFUSED;
        }
    }

    private static void report(OutputOptions output, long replayed, long left, long truncated, List<JsonNode> first) {
        if (!output.json()) {
            first.stream()
                    .limit(SHOWN_MAX)
                    .forEach(each -> output.err()
                            .println("weir: " + each.path("id").asText() + ": "
                                    + each.path("message").asText() + " ("
                                    + each.path("code").asText() + ")"));
        }
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("replayed", replayed);
        result.put("left", left);
        result.put("truncated", truncated);
        result.put("rows", first);
        output.result(
                result,
                "%,d rows written again, %,d refused again, %,d not tried since their text was cut off"
                        .formatted(replayed, left, truncated));
    }

    @Command(mixinStandardHelpOptions = true, description = "Deletes letters.")
    int purge(
            @Mixin LetterFilterOptions filter,
            @Option(
                            names = "--older-than",
                            paramLabel = "TIME|AGE",
                            description = "Rows that came before then: an RFC 3339 time, or 30min, 12h, 7d ago.")
                    Optional<String> olderThan,
            @Option(names = "--dry-run", description = "Only counts.") boolean dryRun,
            @Option(names = "--yes", description = "Without it nothing is deleted.") boolean yes,
            @Mixin ConnectionOptions connection,
            @Mixin OutputOptions output) {
        Map<String, Object> body = filter.members();
        olderThan.ifPresent(text -> body.put(
                "before", LetterFilterOptions.time("--older-than", text).toString()));
        try (ClusterClient client = connection.open()) {
            if (dryRun) {
                return counted(client, "purge", body, output, "would be deleted");
            }
            if (!yes) {
                long letters = count(client, "purge", body);
                throw CommandFailedException.refused("%,d letters would be deleted: say --yes".formatted(letters));
            }
            long purged = 0;
            boolean more = true;
            while (more) {
                JsonNode done = client.send("POST", PATH + "/purge", body);
                purged += done.path("purged").asLong();
                more = done.path("more").asBoolean();
            }
            output.result(Map.of("purged", purged), "%,d letters deleted".formatted(purged));
            return 0;
        }
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = {
                "Takes rows out of a table and keeps them as letters with the code quarantined: list shows them, replay",
                "writes them again. Without --where: rows that are in no file yet, and what lies between the oldest and",
                "the newest of them as the command begins; these are what a flush that fails again and again can't write.",
                "Says first how many rows are meant, and by which condition."
            })
    int quarantine(
            @Parameters(paramLabel = "TABLE", description = "Whose rows.") String table,
            @Option(
                            names = "--where",
                            paramLabel = "CONDITION",
                            description =
                                    "Tags and times as in DELETE: \"host = 'a' AND time < '2026-11-01T00:00:00Z'\".")
                    Optional<String> where,
            @Option(names = "--dry-run", description = "Only counts.") boolean dryRun,
            @Mixin ConnectionOptions connection,
            @Mixin OutputOptions output) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("table", table);
        where.ifPresent(condition -> body.put("where", condition));
        try (ClusterClient client = connection.open()) {
            JsonNode meant = meant(client, body);
            long rows = meant.path("rows").asLong();
            Optional<String> condition = Optional.ofNullable(meant.path("where").textValue());
            Map<String, Object> result = new LinkedHashMap<>();
            result.put("rows", rows);
            result.put("where", condition.orElse(null));
            String words = condition.map(text -> ": " + text).orElse("");
            if (dryRun) {
                output.result(result, "%,d rows would be set aside%s".formatted(rows, words));
                return 0;
            }
            if (!output.json()) {
                output.line("%,d rows are meant%s".formatted(rows, words));
            }
            // From here on by this condition, else rows that come meanwhile go, too, and there may be no end.
            condition.ifPresent(text -> body.put("where", text));
            long quarantined = rows == 0 ? 0 : setAside(client, body);
            result.put("quarantined", quarantined);
            output.result(
                    result,
                    "%,d rows set aside: weir dead-letters list --code quarantined shows them".formatted(quarantined));
            return 0;
        }
    }

    private static JsonNode meant(ClusterClient client, Map<String, Object> body) {
        Map<String, Object> asked = new LinkedHashMap<>(body);
        asked.put("dry_run", true);
        return client.send("POST", PATH + "/quarantine", asked);
    }

    private static long setAside(ClusterClient client, Map<String, Object> body) {
        long quarantined = 0;
        boolean more = true;
        while (more) {
            JsonNode done = client.send("POST", PATH + "/quarantine", body);
            quarantined += done.path("quarantined").asLong();
            more = done.path("more").asBoolean();
        }
        return quarantined;
    }

    private static int counted(
            ClusterClient client, String what, Map<String, Object> body, OutputOptions output, String words) {
        long letters = count(client, what, body);
        output.result(Map.of("letters", letters), "%,d letters %s".formatted(letters, words));
        return 0;
    }

    private static long count(ClusterClient client, String what, Map<String, Object> body) {
        Map<String, Object> asked = new LinkedHashMap<>(body);
        asked.put("dry_run", true);
        return client.send("POST", PATH + "/" + what, asked).path("letters").asLong();
    }
}
