package dev.weir.query.sql.gate;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times as people write them, exact to the nanosecond and minding the offset, both of which DuckDB's cast of a text to TIMESTAMP_NS does not. */
public final class TimeText {
    private static final Pattern FORM = Pattern.compile(
            "(\\d{4})-(\\d{1,2})-(\\d{1,2})(?:[Tt"
                    + " ](\\d{1,2}):(\\d{2})(?::(\\d{2})(?:\\.(\\d{1,9}))?)?\\s*([Zz]|[Uu][Tt][Cc]|[+-]\\d{2}(?::?\\d{2})?)?)?");
    private static final long NANOS_OF_SECOND = 1_000_000_000L;

    private TimeText() {}

    /** Nanoseconds since 1970; empty where the text is no such time or is outside of what 64 bits hold. Without an offset it is UTC. */
    public static OptionalLong nanos(String text) {
        Matcher parts = FORM.matcher(text.strip());
        if (!parts.matches()) {
            return OptionalLong.empty();
        }
        try {
            LocalDateTime local = LocalDateTime.of(
                    number(parts, 1),
                    number(parts, 2),
                    number(parts, 3),
                    number(parts, 4),
                    number(parts, 5),
                    number(parts, 6));
            long second = local.toEpochSecond(offset(parts.group(8)));
            return OptionalLong.of(
                    Math.addExact(Math.multiplyExact(second, NANOS_OF_SECOND), fraction(parts.group(7))));
        } catch (DateTimeException | ArithmeticException e) {
            return OptionalLong.empty();
        }
    }

    private static int number(Matcher parts, int group) {
        String digits = parts.group(group);
        return digits == null ? 0 : Integer.parseInt(digits);
    }

    private static long fraction(@org.jspecify.annotations.Nullable String digits) {
        return digits == null ? 0 : Long.parseLong((digits + "00000000").substring(0, 9));
    }

    private static ZoneOffset offset(@org.jspecify.annotations.Nullable String text) {
        return text == null || !(text.startsWith("+") || text.startsWith("-")) ? ZoneOffset.UTC : ZoneOffset.of(text);
    }
}
