package dev.weir.query.sql.plan;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.query.sql.gate.Nodes;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Widths of buckets that are plain lengths of time, in nanoseconds: {@code '1 hour'}, {@code INTERVAL '90 seconds'}, {@code INTERVAL 5 MINUTE}. Empty for
 * anything else (months, expressions), which DuckDB works out itself.
 */
public final class FixedWidth {
    private static final Pattern PART = Pattern.compile("\\s*(\\d{1,9})\\s*([a-z]+)\\s*");
    private static final long SECOND = 1_000_000_000L;

    private FixedWidth() {}

    public static OptionalLong of(JsonNode width) {
        String text = Nodes.text(width);
        if (text != null) {
            return nanos(text.toLowerCase(Locale.ROOT));
        }
        String function = Nodes.function(width);
        JsonNode number = Nodes.argument(width, 0);
        while (Nodes.isClass(number, "CAST") || Nodes.function(number).equals("trunc")) {
            number = Nodes.isClass(number, "CAST") ? number.path("child") : Nodes.argument(number, 0);
        }
        String digits = number.path("literal").path("text").asText();
        return function.startsWith("to_") && digits.matches("\\d{1,9}")
                ? nanos(digits + " " + function.substring("to_".length()))
                : OptionalLong.empty();
    }

    private static OptionalLong nanos(String text) {
        Matcher part = PART.matcher(text);
        long sum = 0;
        int end = 0;
        while (end < text.length()) {
            if (!part.find(end) || part.start() != end) {
                return OptionalLong.empty();
            }
            long unit = unit(part.group(2));
            if (unit == 0) {
                return OptionalLong.empty();
            }
            try {
                sum = Math.addExact(sum, Math.multiplyExact(Long.parseLong(part.group(1)), unit));
            } catch (ArithmeticException e) {
                return OptionalLong.empty();
            }
            end = part.end();
        }
        return sum > 0 ? OptionalLong.of(sum) : OptionalLong.empty();
    }

    private static long unit(String name) {
        return switch (name) {
            case "microsecond", "microseconds", "us" -> 1_000;
            case "millisecond", "milliseconds", "ms" -> 1_000_000;
            case "second", "seconds", "sec", "secs", "s" -> SECOND;
            case "minute", "minutes", "min", "mins", "m" -> 60 * SECOND;
            case "hour", "hours", "h" -> 3600 * SECOND;
            case "day", "days", "d" -> 86_400 * SECOND;
            case "week", "weeks", "w" -> 7 * 86_400 * SECOND;
            default -> 0;
        };
    }
}
