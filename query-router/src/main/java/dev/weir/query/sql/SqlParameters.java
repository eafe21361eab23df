package dev.weir.query.sql;

import dev.weir.partition.read.Consistency;
import dev.weir.query.QueryParameters;
import dev.weir.query.sql.answer.AnswerOptions;
import dev.weir.query.sql.image.ReadOptions;
import dev.weir.query.sql.route.RoutedStatement.Parameter;
import io.vertx.core.MultiMap;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parameters of {@code /api/v1/sql}. */
record SqlParameters(ReadOptions read, AnswerOptions answer) {
    private static final String KNOWN = "q (with GET), consistency, min_cursor, max_staleness, epoch, int64";
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m)");

    /** The statement itself, and what carries a token. */
    private static final Set<String> NOT_PASSED_ON = Set.of("q", "p", "u");

    /** What another node needs to read the same. */
    static List<Parameter> passedOn(MultiMap parameters) {
        return parameters.entries().stream()
                .filter(entry -> !NOT_PASSED_ON.contains(entry.getKey()))
                .map(entry -> new Parameter(entry.getKey(), entry.getValue()))
                .toList();
    }

    static MultiMap of(List<Parameter> parameters) {
        MultiMap map = MultiMap.caseInsensitiveMultiMap();
        parameters.forEach(parameter -> map.add(parameter.name(), parameter.value()));
        return map;
    }

    /** @throws dev.weir.partition.model.RefusedException what the caller did wrong */
    static SqlParameters parse(String tenant, MultiMap parameters) {
        for (String name : parameters.names()) {
            switch (name) {
                case "q", "p", "u", "consistency", "min_cursor", "max_staleness", "epoch", "int64" -> {}
                default -> throw QueryParameters.bad("unknown parameter " + name + "; known are " + KNOWN);
            }
        }
        Consistency consistency = QueryParameters.choice(parameters, "consistency", "leader", "any")
                ? Consistency.ANY
                : Consistency.LEADER;
        return new SqlParameters(
                new ReadOptions(
                        consistency,
                        QueryParameters.minCursor(tenant, parameters),
                        maxStaleness(parameters, consistency)),
                new AnswerOptions(
                        QueryParameters.choice(parameters, "epoch", "rfc3339", "ns"),
                        QueryParameters.choice(parameters, "int64", "number", "string")));
    }

    private static Optional<Duration> maxStaleness(MultiMap parameters, Consistency consistency) {
        String text = QueryParameters.single(parameters, "max_staleness");
        if (text == null) {
            return Optional.empty();
        }
        Matcher parts = DURATION.matcher(text);
        if (!parts.matches()) {
            throw QueryParameters.bad("max_staleness: found " + text + ", expected a number with ms, s or m");
        }
        if (consistency != Consistency.ANY) {
            throw QueryParameters.bad("max_staleness: expected consistency=any with it");
        }
        long number = Long.parseLong(parts.group(1));
        return Optional.of(
                switch (parts.group(2)) {
                    case "ms" -> Duration.ofMillis(number);
                    case "s" -> Duration.ofSeconds(number);
                    default -> Duration.ofMinutes(number);
                });
    }
}
