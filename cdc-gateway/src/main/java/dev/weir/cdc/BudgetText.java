package dev.weir.cdc;

import dev.weir.partition.model.ErrorCode;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Sizes and ages as people write them in JSON: {@code 1073741824} or {@code "1GiB"}, {@code 3600} (seconds) or {@code "1h"}. */
final class BudgetText {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,15})\\s*([A-Za-z]*)");
    private static final Map<String, Long> SIZES =
            Map.of("", 1L, "B", 1L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30, "TiB", 1L << 40);
    private static final Map<String, Long> AGES = Map.of("", 1L, "s", 1L, "min", 60L, "h", 3_600L, "d", 86_400L);
    private static final Duration AGE_MAX = Duration.ofDays(36_500);

    private BudgetText() {}

    static long bytes(@Nullable Object value) {
        return number("budget.bytes", value, SIZES, "a number of bytes, or one with KiB, MiB, GiB or TiB");
    }

    static Duration age(@Nullable Object value) {
        long seconds = number("budget.age", value, AGES, "a number of seconds, or one with s, min, h or d");
        if (seconds > AGE_MAX.toSeconds()) {
            throw bad("budget.age: expected at most " + AGE_MAX.toDays() + "d, found " + value);
        }
        return Duration.ofSeconds(seconds);
    }

    private static long number(String what, @Nullable Object value, Map<String, Long> units, String expected) {
        if (value == null) {
            return 0;
        }
        Matcher text = TEXT.matcher(value.toString().strip());
        Long unit = text.matches() ? units.get(text.group(2)) : null;
        if (unit == null) {
            throw bad(what + ": expected " + expected + ", found " + value);
        }
        try {
            return Math.multiplyExact(Long.parseLong(text.group(1)), unit);
        } catch (ArithmeticException e) {
            throw bad(what + ": " + value + " is too large");
        }
    }

    private static RequestRefused bad(String message) {
        return RequestRefused.of(ErrorCode.BAD_REQUEST, message);
    }
}
