package dev.weir.query;

import dev.weir.partition.model.BadCursorException;
import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import io.vertx.core.MultiMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads parameters that all ways of reading share. Fails with {@link RefusedException}, saying what was expected. */
public final class QueryParameters {
    private QueryParameters() {}

    /** The value of a parameter that may be given once; null where it is not. */
    public static @Nullable String single(MultiMap parameters, String name) {
        List<String> values = parameters.getAll(name);
        if (values.size() > 1) {
            throw bad(name + " was given " + values.size() + " times, expected once");
        }
        return values.isEmpty() ? null : values.getFirst();
    }

    /** True for the second, false for the first or none. */
    public static boolean choice(MultiMap parameters, String name, String first, String second) {
        String value = single(parameters, name);
        if (value != null && !value.equals(first) && !value.equals(second)) {
            throw bad(name + ": found " + value + ", expected " + first + " or " + second);
        }
        return second.equals(value);
    }

    /** {@code min_cursor}, of the tenant. */
    public static Optional<Cursor> minCursor(String tenant, MultiMap parameters) {
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

    public static RefusedException bad(String message) {
        return new RefusedException(Refusal.of(ErrorCode.BAD_REQUEST, message));
    }
}
