package dev.weir.ops.command;

import dev.weir.ops.client.CommandFailedException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** Which dead letters are meant. */
final class LetterFilterOptions {
    private static final Pattern AGE = Pattern.compile("(\\d{1,9})(s|min|m|h|d)");

    @Option(names = "--table", paramLabel = "T", description = "Rows that name this table.")
    Optional<String> table = Optional.empty();

    @Option(names = "--code", paramLabel = "CODE", description = "Rows refused with this code, such as type_conflict.")
    Optional<String> code = Optional.empty();

    @Option(
            names = "--since",
            paramLabel = "TIME|AGE",
            description = "Rows that came then or later: an RFC 3339 time, or 30min, 12h, 7d ago.")
    Optional<String> since = Optional.empty();

    /** As the server takes them. */
    Map<String, Object> members() {
        Map<String, Object> members = new LinkedHashMap<>();
        table.ifPresent(text -> members.put("table", text));
        code.ifPresent(text -> members.put("code", text));
        since.ifPresent(text -> members.put("since", time("--since", text).toString()));
        return members;
    }

    static Instant time(String option, String text) {
        Matcher age = AGE.matcher(text);
        if (age.matches()) {
            long count = Long.parseLong(age.group(1));
            return Instant.now()
                    .minus(
                            switch (age.group(2)) {
                                case "s" -> Duration.ofSeconds(count);
                                case "m", "min" -> Duration.ofMinutes(count);
                                case "h" -> Duration.ofHours(count);
                                default -> Duration.ofDays(count);
                            });
        }
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            throw CommandFailedException.refused(
                    option + ": expected a time such as 2026-11-01T00:00:00Z or an age such as 30min, found " + text);
        }
    }
}
