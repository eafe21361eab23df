package dev.weir.query;

import dev.weir.partition.model.BadCursorException;
import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.read.Consistency;
import io.vertx.core.MultiMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of {@code /api/v1/latest} and {@code /api/v1/series}.
 *
 * @param tags key → values, one of which the tag must equal; an empty value matches the missing tag
 * @param minCursor what the answer has to reflect at least
 * @param epochNanos times as integers instead of text
 * @param int64AsString integers that can pass 2^53 are quoted
 */
record ReadRequest(
        String tenant,
        String measurement,
        Map<String, List<String>> tags,
        Consistency consistency,
        Optional<Cursor> minCursor,
        boolean epochNanos,
        boolean int64AsString) {
    private static final String TAG = "tag.";
    private static final String KNOWN = "measurement, tag.<key>, consistency, min_cursor, epoch, int64";

    /** @throws RefusedException what the caller did wrong */
    static ReadRequest parse(String tenant, MultiMap parameters) {
        Map<String, List<String>> tags = new TreeMap<>();
        for (Map.Entry<String, String> parameter : parameters) {
            String name = parameter.getKey();
            switch (name) {
                case "measurement", "consistency", "min_cursor", "epoch", "int64" -> {}
                default -> {
                    if (!name.startsWith(TAG) || name.length() == TAG.length()) {
                        throw bad("unknown parameter " + name + "; known are " + KNOWN);
                    }
                    tags.computeIfAbsent(name.substring(TAG.length()), key -> new ArrayList<>())
                            .add(parameter.getValue());
                }
            }
        }
        String measurement = single(parameters, "measurement");
        if (measurement == null || measurement.isEmpty()) {
            throw bad("measurement is required");
        }
        return new ReadRequest(
                tenant,
                measurement,
                tags,
                choice(parameters, "consistency", "leader", "any") ? Consistency.ANY : Consistency.LEADER,
                minCursor(tenant, parameters),
                choice(parameters, "epoch", "rfc3339", "ns"),
                choice(parameters, "int64", "number", "string"));
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
            throw new RefusedException(Refusal.of(ErrorCode.BAD_CURSOR, "min_cursor: " + e.getMessage()));
        }
    }

    private static @Nullable String single(MultiMap parameters, String name) {
        List<String> values = parameters.getAll(name);
        if (values.size() > 1) {
            throw bad(name + " was given " + values.size() + " times, expected once");
        }
        return values.isEmpty() ? null : values.getFirst();
    }

    private static RefusedException bad(String message) {
        return new RefusedException(Refusal.of(ErrorCode.BAD_REQUEST, message));
    }
}
