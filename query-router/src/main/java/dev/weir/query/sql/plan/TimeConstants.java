package dev.weir.query.sql.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.query.sql.gate.Nodes;
import dev.weir.query.sql.gate.TimeText;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Makes "now" one constant of the statement, and texts that are compared with {@code time} exact times: offsets count, nanoseconds stay. Texts that are
 * no times are left for DuckDB to refuse.
 */
public final class TimeConstants {
    private static final Set<String> NOW = Set.of(
            "now",
            "get_current_timestamp",
            "current_timestamp",
            "transaction_timestamp",
            "current_localtimestamp",
            "localtimestamp");
    private static final Set<String> TODAY = Set.of("today", "current_date");
    private static final Set<String> ZONED = Set.of("timestamptz", "timestamp with time zone", "timestamp_ns");

    private final long nowNanos;

    public TimeConstants(long nowNanos) {
        this.nowNanos = nowNanos;
    }

    public void apply(ObjectNode query) {
        TreeEdit.everywhere(query, this::edit);
    }

    private ObjectNode edit(ObjectNode node) {
        return switch (node.path("class").asText()) {
            case "FUNCTION" ->
                switch (Nodes.arguments(node)) {
                    case 0 -> moment(node, Nodes.function(node));
                    case 2 -> shifted(node);
                    default -> node;
                };
            case "COLUMN_REF" ->
                node.path("column_names").size() == 1
                        ? moment(node, Nodes.columnName(node).toLowerCase(Locale.ROOT))
                        : node;
            case "CAST" -> zonedLiteral(node);
            case "COMPARISON" -> {
                compared(node, "left", "right");
                compared(node, "right", "left");
                yield node;
            }
            case "BETWEEN" -> {
                compared(node, "input", "lower");
                compared(node, "input", "upper");
                yield node;
            }
            case "OPERATOR" -> {
                if (Nodes.type(node).equals("COMPARE_IN") || Nodes.type(node).equals("COMPARE_NOT_IN")) {
                    comparedWithList(node);
                }
                yield node;
            }
            default -> node;
        };
    }

    private ObjectNode moment(ObjectNode node, String name) {
        if (NOW.contains(name)) {
            return placed(Nodes.time(nowNanos), node, name);
        }
        if (TODAY.contains(name)) {
            LocalDate day =
                    LocalDate.ofInstant(Instant.ofEpochSecond(Math.floorDiv(nowNanos, 1_000_000_000L)), ZoneOffset.UTC);
            return placed(
                    Nodes.call(
                            "make_date",
                            Nodes.number(day.getYear()),
                            Nodes.number(day.getMonthValue()),
                            Nodes.number(day.getDayOfMonth())),
                    node,
                    name);
        }
        return node;
    }

    /** {@code now() - INTERVAL '1 hour'}: exact, and nothing for DuckDB to work out. */
    private static ObjectNode shifted(ObjectNode node) {
        String sign = Nodes.function(node);
        JsonNode time = Nodes.argument(node, 0);
        if (!Nodes.isTime(time) || !(sign.equals("-") || sign.equals("+"))) {
            return node;
        }
        OptionalLong width = Nodes.isClass(Nodes.argument(node, 1), "CONSTANT")
                ? OptionalLong.empty()
                : FixedWidth.of(Nodes.argument(node, 1));
        if (width.isEmpty()) {
            return node;
        }
        long nanos = Long.parseLong(
                Nodes.argument(time, 0).path("literal").path("text").asText());
        try {
            long moved = sign.equals("-")
                    ? Math.subtractExact(nanos, width.getAsLong())
                    : Math.addExact(nanos, width.getAsLong());
            return placed(Nodes.time(moved), node, "");
        } catch (ArithmeticException e) {
            return node;
        }
    }

    /** {@code TIMESTAMPTZ '…'} cannot be compared with TIMESTAMP_NS; {@code TIMESTAMP_NS '…'} forgets the offset. */
    private static ObjectNode zonedLiteral(ObjectNode node) {
        String type = node.path("type_expr").path("type_name").asText().toLowerCase(Locale.ROOT);
        String text = Nodes.text(node);
        if (text == null || !ZONED.contains(type)) {
            return node;
        }
        OptionalLong nanos = TimeText.nanos(text);
        return nanos.isPresent() ? placed(Nodes.time(nanos.getAsLong()), node, "") : node;
    }

    private static void compared(ObjectNode node, String column, String value) {
        if (isTime(node.path(column))) {
            OptionalLong nanos = literal(node.path(value));
            nanos.ifPresent(time -> node.set(value, placed(Nodes.time(time), node.path(value), "")));
        }
    }

    private static void comparedWithList(ObjectNode node) {
        JsonNode children = node.path("children");
        if (!isTime(children.path(0))) {
            return;
        }
        for (int i = 1; i < children.size(); i++) {
            JsonNode child = children.get(i);
            OptionalLong nanos = literal(child);
            if (nanos.isPresent()) {
                ((com.fasterxml.jackson.databind.node.ArrayNode) children)
                        .set(i, placed(Nodes.time(nanos.getAsLong()), child, ""));
            }
        }
    }

    private static boolean isTime(JsonNode node) {
        return Nodes.isClass(node, "COLUMN_REF") && Nodes.columnName(node).equalsIgnoreCase("time");
    }

    private static OptionalLong literal(JsonNode node) {
        String type = node.path("type_expr").path("type_name").asText().toLowerCase(Locale.ROOT);
        boolean time = Nodes.isClass(node, "CONSTANT") || type.startsWith("timestamp") || type.equals("datetime");
        String text = time ? Nodes.text(node) : null;
        return text == null ? OptionalLong.empty() : TimeText.nanos(text);
    }

    private static ObjectNode placed(ObjectNode node, JsonNode old, String name) {
        node.set("query_location", old.path("query_location"));
        String alias = old.path("alias").asText();
        node.put("alias", alias.isEmpty() ? name : alias);
        return node;
    }
}
