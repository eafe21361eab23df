package dev.weir.query.sql.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.query.sql.gate.Nodes;
import dev.weir.query.sql.gate.TimeText;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * {@code first(v, time)}, {@code last(v, time)} and {@code time_bucket}: the first two are DuckDB's arg_min and arg_max under the names that people
 * know; the third is ours, since DuckDB's answers in microseconds and rounds up before it buckets.
 */
public final class TimeFunctions {
    /** 3 January 2000. */
    private static final long MONDAY_NANOS = 946_857_600_000_000_000L;

    private static final Set<String> NAMED = Set.of(
            "time_bucket", "time_bucket_gapfill", "first", "last", "rate", "increase", "delta", "locf", "interpolate");

    /**
     * What an instance of DuckDB must know. {@code w} is a width, {@code t} a time of any type, {@code o} an origin, {@code z} a zone's name. Widths
     * without months count in nanoseconds from Monday, 3 January 2000, as DuckDB's own do; {@code _weir_floor_fixed} wants 0 <= o < w, and divides once
     * for times after 1970; {@code _weir_floor_late} wants n >= o besides.
     */
    public static final List<String> MACROS = List.of(
            "CREATE MACRO _weir_micros(t) AS (epoch_ns(t) - ((epoch_ns(t) % 1000) + 1000) % 1000) // 1000",
            "CREATE MACRO _weir_floor(n, w, o) AS make_timestamp_ns(n - ((((n % w) - (o % w)) % w) + w) % w)",
            "CREATE MACRO _weir_floor_fixed(n, w, o) AS make_timestamp_ns(CASE WHEN n >= o THEN n - (n - o) % w ELSE"
                    + " n - ((((n % w) - (o % w)) % w) + w) % w END)",
            "CREATE MACRO _weir_floor_late(n, w, o) AS make_timestamp_ns(n - (n - o) % w)",
            "CREATE MACRO _weir_has_months(w) AS date_part('year', w) <> 0 OR date_part('month', w) <> 0",
            "CREATE MACRO _weir_width(w) AS CASE WHEN epoch_ns(w) > 0 THEN w ELSE error('time_bucket: expected a"
                    + " positive width') END",
            "CREATE MACRO _weir_bucket(w, t) AS CASE WHEN _weir_has_months(w::INTERVAL) THEN"
                    + " CAST(time_bucket(_weir_width(w::INTERVAL), make_timestamp(_weir_micros(t))) AS TIMESTAMP_NS) ELSE"
                    + " _weir_floor(epoch_ns(t), epoch_ns(_weir_width(w::INTERVAL)), 946857600000000000) END",
            "CREATE MACRO _weir_bucket_origin(w, t, o) AS CASE WHEN _weir_has_months(w::INTERVAL) THEN"
                    + " CAST(time_bucket(_weir_width(w::INTERVAL), make_timestamp(_weir_micros(t)),"
                    + " make_timestamp(_weir_micros(o))) AS TIMESTAMP_NS) ELSE _weir_floor(epoch_ns(t),"
                    + " epoch_ns(_weir_width(w::INTERVAL)), epoch_ns(o)) END",
            "CREATE MACRO _weir_bucket_zone(w, t, z) AS"
                    + " make_timestamp_ns(epoch_ns(time_bucket(_weir_width(w::INTERVAL),"
                    + " make_timestamptz(_weir_micros(t)), z)))",
            "CREATE MACRO _weir_step(v, p, m) AS CASE WHEN v >= p THEN v - p WHEN p > m / 2 AND v < m / 2 THEN m - p +"
                    + " v + 1 WHEN v < p THEN v END",
            "CREATE MACRO _weir_list_increase(l, m) AS"
                    + " list_sum(list_transform(list_zip(l[2:], l[:-2]), lambda p: _weir_step(p[1], p[2], m)))",
            "CREATE MACRO _weir_list_delta(l) AS CASE WHEN len(l) > 1 THEN l[-1] - l[1] END",
            "CREATE MACRO _weir_per_second(x, t, s) AS x / nullif((epoch_ns(t) - epoch_ns(s)) / 1e9, 0)");

    private TimeFunctions() {}

    /** Columns keep the names that the user knows, where ours are other functions inside. To be called before any other rewriting. */
    public static void nameColumns(ObjectNode query) {
        nameItems(query);
        TreeEdit.everywhere(query, node -> {
            nameItems(node);
            return node;
        });
    }

    private static void nameItems(ObjectNode select) {
        for (JsonNode item : select.path("select_list")) {
            String name = Nodes.function(item);
            boolean unnamed = item.path("alias").asText().isEmpty();
            if (unnamed && NAMED.contains(name) && Nodes.isClass(item, "FUNCTION")) {
                ((ObjectNode) item).put("alias", name);
            }
        }
    }

    public static void apply(ObjectNode query, LateTimes late) {
        TreeEdit.everywhere(query, node -> edit(node, late));
    }

    private static ObjectNode edit(ObjectNode node, LateTimes late) {
        if (!Nodes.isClass(node, "FUNCTION")) {
            return node;
        }
        switch (Nodes.function(node)) {
            case "first" -> {
                if (Nodes.arguments(node) == 2) {
                    Nodes.rename(node, "arg_min");
                }
            }
            case "last" -> {
                if (Nodes.arguments(node) == 2) {
                    Nodes.rename(node, "arg_max");
                }
            }
            case "time_bucket" -> bucket(node, late);
            default -> {}
        }
        return node;
    }

    private static void bucket(ObjectNode node, LateTimes late) {
        List<JsonNode> arguments = new ArrayList<>();
        for (int i = 0; i < Nodes.arguments(node); i++) {
            arguments.add(Nodes.argument(node, i));
        }
        OptionalLong width = FixedWidth.of(Nodes.argument(node, 0));
        if (arguments.size() == 2 && width.isPresent()) {
            // What most ask for; the general form costs DuckDB as long to look at as such a query takes to run.
            long origin = Math.floorMod(MONDAY_NANOS, width.getAsLong());
            boolean isLate = late.areFrom(origin, arguments.get(1));
            arguments.set(0, Nodes.call("epoch_ns", arguments.get(1)));
            arguments.set(1, Nodes.number(width.getAsLong()));
            arguments.add(Nodes.number(origin));
            Nodes.rename(node, isLate ? "_weir_floor_late" : "_weir_floor_fixed");
        } else if (arguments.size() == 2) {
            Nodes.rename(node, "_weir_bucket");
        } else if (arguments.size() == 3) {
            String text = Nodes.isClass(arguments.get(2), "CONSTANT") ? Nodes.text(arguments.get(2)) : null;
            if (text != null && TimeText.nanos(text).isEmpty()) {
                Nodes.rename(node, "_weir_bucket_zone");
            } else {
                Nodes.rename(node, "_weir_bucket_origin");
                if (text != null) {
                    arguments.set(2, Nodes.time(TimeText.nanos(text).orElseThrow()));
                }
            }
        }
        Nodes.setArguments(node, arguments);
    }
}
