package dev.weir.node.ingest.letter;

import dev.weir.node.ingest.rows.JsonOptions;
import dev.weir.node.ingest.rows.JsonRows;
import dev.weir.node.ingest.rows.LineOptions;
import dev.weir.node.ingest.rows.LineRows;
import dev.weir.node.ingest.rows.NameCaches;
import dev.weir.node.ingest.rows.Precision;
import dev.weir.node.ingest.rows.RowReader;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * What gives a body's bytes their meaning, kept with each letter so that its text can be read again:
 *
 * <pre>
 * format  parameters
 * lp      {"precision":"ns","nan":"refuse","default_time":…}
 * json    {"precision":"ns","default_time":…}
 * flat    {"precision":"ns","measurement":"m","tags":["a"],"time":"time","default_time":…}
 * </pre>
 *
 * {@code default_time} is the time of rows without one, in ns.
 */
public sealed interface LetterForm {
    /** As the limit of one row's bytes: none. */
    int ANY_LENGTH = Integer.MAX_VALUE;

    String format();

    /** The parameters but for the time. */
    JsonObject parameters();

    /** Reads the text of one row. */
    RowReader open(byte[] text, NameCaches caches, String tenant);

    default String parameters(long defaultTimeNanos) {
        return parameters().put("default_time", defaultTimeNanos).encode();
    }

    /** Line protocol. */
    record Lines(LineOptions options) implements LetterForm {
        @Override
        public String format() {
            return "lp";
        }

        @Override
        public JsonObject parameters() {
            return new JsonObject()
                    .put("precision", name(options.precision()))
                    .put("nan", options.dropNotANumber() ? "drop-field" : "refuse");
        }

        @Override
        public RowReader open(byte[] text, NameCaches caches, String tenant) {
            return new LineRows(text, text.length, options, caches, tenant);
        }
    }

    /** JSON, a row an object. */
    record Json(JsonOptions options) implements LetterForm {
        @Override
        public String format() {
            return options.flat() == null ? "json" : "flat";
        }

        @Override
        public JsonObject parameters() {
            JsonObject parameters = new JsonObject().put("precision", name(options.precision()));
            JsonOptions.Flat flat = options.flat();
            if (flat != null) {
                JsonArray tags = new JsonArray();
                new TreeSet<>(flat.tags()).forEach(tags::add);
                parameters
                        .put("measurement", flat.measurement())
                        .put("tags", tags)
                        .put("time", flat.timeKey());
            }
            return parameters;
        }

        @Override
        public RowReader open(byte[] text, NameCaches caches, String tenant) {
            return new JsonRows(text, text.length, options, caches, tenant);
        }
    }

    /**
     * For texts of any length: they were bounded when they came, and a stored row that was set aside is longer as JSON than it was.
     *
     * @throws IllegalArgumentException these are not a letter's
     */
    static LetterForm of(String format, JsonObject parameters) {
        Precision precision = Precision.of(parameters.getString("precision"))
                .orElseThrow(() -> new IllegalArgumentException("parameters of a letter: " + parameters));
        return switch (format) {
            case "lp" ->
                new Lines(new LineOptions(precision, parameters.getString("nan").equals("drop-field"), ANY_LENGTH));
            case "json" -> new Json(new JsonOptions(precision, false, ANY_LENGTH, null));
            case "flat" -> {
                Set<String> tags = new LinkedHashSet<>();
                parameters.getJsonArray("tags").forEach(tag -> tags.add((String) tag));
                yield new Json(new JsonOptions(
                        precision,
                        false,
                        ANY_LENGTH,
                        new JsonOptions.Flat(parameters.getString("measurement"), tags, parameters.getString("time"))));
            }
            default ->
                throw new IllegalArgumentException("format of a letter: expected lp, json or flat, found " + format);
        };
    }

    private static String name(Precision precision) {
        return switch (precision) {
            case NANOSECONDS -> "ns";
            case MICROSECONDS -> "us";
            case MILLISECONDS -> "ms";
            case SECONDS -> "s";
            case MINUTES -> "m";
            case HOURS -> "h";
        };
    }
}
