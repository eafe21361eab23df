package dev.weir.cdc;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** The values of {@code mode=}: what becomes of events that a slow reader has not taken, and of those that come twice. */
public enum DeliveryMode {
    /** The oldest are left out, counted and reported as {@link Gap}s, so that the reader is never further behind than it wants. */
    AT_MOST_ONCE("at-most-once"),
    /** They wait in the log; where retention takes them the stream ends. */
    AT_LEAST_ONCE("at-least-once"),
    /** As at least once, and the answer names what tells doubles apart, which come from resuming at an older cursor alone. */
    EXACTLY_ONCE("exactly-once");

    private final String wireName;

    DeliveryMode(String wireName) {
        this.wireName = wireName;
    }

    String wireName() {
        return wireName;
    }

    static Optional<DeliveryMode> of(String wireName) {
        return Arrays.stream(values())
                .filter(mode -> mode.wireName.equals(wireName))
                .findFirst();
    }

    static String wireNames() {
        return Arrays.stream(values()).map(DeliveryMode::wireName).collect(Collectors.joining(", "));
    }
}
