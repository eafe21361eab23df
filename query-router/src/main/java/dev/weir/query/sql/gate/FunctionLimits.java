package dev.weir.query.sql.gate;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.partition.model.ErrorCode;
import java.math.BigDecimal;
import java.util.OptionalLong;

/** Bounds what one call can blow up: DuckDB's own limits do not stop a text or list while it is being made. */
final class FunctionLimits {
    /** Characters that {@code repeat}, {@code lpad} and {@code rpad} may make. */
    static final long TEXT_MAX = 10_000;
    /** Elements of a list that {@code range} and {@code generate_series} may make outside of FROM. */
    static final long LIST_MAX = 100_000;

    private final SelectTree tree;

    FunctionLimits(SelectTree tree) {
        this.tree = tree;
    }

    void check(JsonNode call, String name) {
        switch (name) {
            case "repeat" -> repeat(call);
            case "lpad", "rpad" -> atMost(call, name, 1, TEXT_MAX);
            case "range", "generate_series" -> series(call, name);
            default -> {}
        }
    }

    private void repeat(JsonNode call) {
        String text = Nodes.text(Nodes.argument(call, 0));
        if (text == null) {
            throw refused(call, "repeat: expected a text literal");
        }
        atMost(call, "repeat", 1, TEXT_MAX / Math.max(1, text.length()));
    }

    private void series(JsonNode call, String name) {
        int arguments = Nodes.arguments(call);
        long[] values = new long[arguments];
        for (int i = 0; i < arguments; i++) {
            OptionalLong value = integer(Nodes.argument(call, i));
            if (value.isEmpty()) {
                throw refused(call, name + ": outside of FROM it takes integer literals only");
            }
            values[i] = value.getAsLong();
        }
        BigDecimal from = BigDecimal.valueOf(arguments < 2 ? 0 : values[0]);
        BigDecimal to = BigDecimal.valueOf(arguments == 0 ? 0 : values[Math.min(1, arguments - 1)]);
        BigDecimal step = BigDecimal.valueOf(arguments < 3 || values[2] == 0 ? 1 : values[2]);
        if (to.subtract(from).abs().compareTo(step.abs().multiply(BigDecimal.valueOf(LIST_MAX))) > 0) {
            throw refused(call, name + ": outside of FROM at most " + LIST_MAX + " elements");
        }
    }

    private void atMost(JsonNode call, String name, int place, long most) {
        OptionalLong value = integer(Nodes.argument(call, place));
        if (value.isEmpty()) {
            throw refused(call, name + ": expected an integer literal as argument " + (place + 1));
        }
        if (value.getAsLong() > most) {
            throw refused(
                    call,
                    name + ": makes at most " + TEXT_MAX + " characters, found " + value.getAsLong() + " as argument "
                            + (place + 1));
        }
    }

    private static OptionalLong integer(JsonNode node) {
        if (Nodes.function(node).equals("-") && Nodes.arguments(node) == 1) {
            OptionalLong value = integer(Nodes.argument(node, 0));
            return value.isPresent() ? OptionalLong.of(-value.getAsLong()) : value;
        }
        JsonNode literal = node.path("literal");
        if (!literal.path("kind").asText().equals("INTEGER")) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Long.parseLong(literal.path("text").asText()));
        } catch (NumberFormatException e) {
            return OptionalLong.of(Long.MAX_VALUE);
        }
    }

    private SqlRefusedException refused(JsonNode call, String message) {
        return new SqlRefusedException(ErrorCode.LIMIT_QUERY, message, tree.position(Nodes.location(call)));
    }
}
