package dev.weir.query.sql;

import dev.weir.partition.model.BadCursorException;
import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.read.Consistency;
import dev.weir.query.sql.answer.AnswerOptions;
import dev.weir.query.sql.gate.SqlRefusedException;
import dev.weir.query.sql.image.ReadOptions;
import io.vertx.core.MultiMap;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The parameters of {@code /api/v1/sql}. */
record SqlParameters(ReadOptions read, AnswerOptions answer) {
    private static final String KNOWN = "q (with GET), consistency, min_cursor, max_staleness, epoch, int64";
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m)");

    /** @throws SqlRefusedException what the caller did wrong */
    static SqlParameters parse(String tenant, MultiMap parameters) {
        for (String name : parameters.names()) {
            switch (name) {
                case "q", "p", "u", "consistency", "min_cursor", "max_staleness", "epoch", "int64" -> {}
                default -> throw bad("unknown parameter " + name + "; known are " + KNOWN);
            }
        }
        Consistency consistency =
                choice(parameters, "consistency", "leader", "any") ? Consistency.ANY : Consistency.LEADER;
        return new SqlParameters(
                new ReadOptions(consistency, minCursor(tenant, parameters), maxStaleness(parameters, consistency)),
                new AnswerOptions(
                        choice(parameters, "epoch", "rfc3339", "ns"), choice(parameters, "int64", "number", "string")));
    }

    static @Nullable String single(MultiMap parameters, String name) {
        List<String> values = parameters.getAll(name);
        if (values.size() > 1) {
            throw bad(name + " was given " + values.size() + " times, expected once");
        }
        return values.isEmpty() ? null : values.getFirst();
    }

    /** True for the second, false for the first or none. */
    private static boolean choice(MultiMap parameters, String name, String first, String second) {
        String value = single(parameters, name);
        if (value != null && !value.equals(first) && !value.equals(second)) {
            throw bad(name + ": found " + value + ", expected " + first + " or " + second);
        }
        return second.equals(value);
    }

    private static Optional<Cursor> minCursor(String tenant, MultiMap parameters) {
        String text = single(parameters, "min_cursor");
        if (text == null || text.isBlank()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Cursor.decode(text, tenant));
        } catch (BadCursorException | ArithmeticException e) {
            throw SqlRefusedException.nowhere(ErrorCode.BAD_CURSOR, "min_cursor: " + e.getMessage());
        }
    }

    private static Optional<Duration> maxStaleness(MultiMap parameters, Consistency consistency) {
        String text = single(parameters, "max_staleness");
        if (text == null) {
            return Optional.empty();
        }
        Matcher parts = DURATION.matcher(text);
        if (!parts.matches()) {
            throw bad("max_staleness: found " + text + ", expected a number with ms, s or m");
        }
        if (consistency != Consistency.ANY) {
            throw bad("max_staleness: expected consistency=any with it");
        }
        long number = Long.parseLong(parts.group(1));
        return Optional.of(
                switch (parts.group(2)) {
                    case "ms" -> Duration.ofMillis(number);
                    case "s" -> Duration.ofSeconds(number);
                    default -> Duration.ofMinutes(number);
                });
    }

    private static SqlRefusedException bad(String message) {
        return SqlRefusedException.nowhere(ErrorCode.BAD_REQUEST, message);
    }
}
