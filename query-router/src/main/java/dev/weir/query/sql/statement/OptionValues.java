package dev.weir.query.sql.statement;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The values of table options; empty where a text is none. */
final class OptionValues {
    private static final Pattern DURATION = Pattern.compile(
            "(\\d{1,9})\\s*(s|second|seconds|m|min|minute|minutes|h|hour|hours|d|day|days|w|week|weeks)");

    private OptionValues() {}

    /** Zero: for good. */
    static Optional<Duration> retention(String text) {
        if (text.equalsIgnoreCase("forever") || text.equalsIgnoreCase("none")) {
            return Optional.of(Duration.ZERO);
        }
        return duration(text).filter(duration -> !duration.isZero());
    }

    static Optional<Duration> duration(String text) {
        Matcher parts = DURATION.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!parts.matches()) {
            return Optional.empty();
        }
        long number = Long.parseLong(parts.group(1));
        return Optional.of(
                switch (parts.group(2).charAt(0)) {
                    case 's' -> Duration.ofSeconds(number);
                    case 'm' -> Duration.ofMinutes(number);
                    case 'h' -> Duration.ofHours(number);
                    case 'd' -> Duration.ofDays(number);
                    default -> Duration.ofDays(7 * number);
                });
    }

    static Optional<Boolean> strict(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "strict" -> Optional.of(true);
            case "open" -> Optional.of(false);
            default -> Optional.empty();
        };
    }

    static Optional<TableOptions.TimeUnit> timeUnit(String text) {
        for (TableOptions.TimeUnit unit : TableOptions.TimeUnit.values()) {
            if (unit.name().equalsIgnoreCase(text)) {
                return Optional.of(unit);
            }
        }
        return Optional.empty();
    }
}
