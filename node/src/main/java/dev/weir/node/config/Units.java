package dev.weir.node.config;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations like {@code 15min} and sizes like {@code 64MiB}. */
final class Units {
    private static final Pattern AMOUNT = Pattern.compile("(\\d{1,18})\\s*([a-zA-Z]*)");
    private static final Map<String, Duration> DURATIONS = Map.of(
            "ms", Duration.ofMillis(1),
            "s", Duration.ofSeconds(1),
            "min", Duration.ofMinutes(1),
            "h", Duration.ofHours(1),
            "d", Duration.ofDays(1));
    private static final Map<String, Long> SIZES =
            Map.of("", 1L, "b", 1L, "kib", 1L << 10, "mib", 1L << 20, "gib", 1L << 30, "tib", 1L << 40);
    private static final String DURATION_WORDS = "a duration such as 500ms, 30s, 15min, 12h or 7d";
    private static final String SIZE_WORDS = "a size such as 4096, 64KiB, 16MiB or 2GiB";

    private Units() {}

    static Duration duration(String key, String text) {
        Matcher amount = AMOUNT.matcher(text);
        if (!amount.matches()) {
            throw ConfigException.of(key, DURATION_WORDS, text);
        }
        Duration unit = DURATIONS.get(amount.group(2).toLowerCase(Locale.ROOT));
        long count = Long.parseLong(amount.group(1));
        if (unit == null && count != 0) {
            throw ConfigException.of(key, DURATION_WORDS, text);
        }
        try {
            return unit == null ? Duration.ZERO : unit.multipliedBy(count);
        } catch (ArithmeticException e) {
            throw ConfigException.of(key, DURATION_WORDS, text);
        }
    }

    static long bytes(String key, String text) {
        Matcher amount = AMOUNT.matcher(text);
        Long unit = amount.matches() ? SIZES.get(amount.group(2).toLowerCase(Locale.ROOT)) : null;
        if (unit == null) {
            throw ConfigException.of(key, SIZE_WORDS, text);
        }
        try {
            return Math.multiplyExact(Long.parseLong(amount.group(1)), unit);
        } catch (ArithmeticException e) {
            throw ConfigException.of(key, SIZE_WORDS, text);
        }
    }
}
