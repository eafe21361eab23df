package dev.weir.node.ingest;

import dev.weir.node.ingest.rows.JsonOptions;
import dev.weir.node.ingest.rows.LineOptions;
import dev.weir.node.ingest.rows.Precision;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.TenantRecord;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the parameters and headers of write requests; refuses what it does not understand. */
final class WriteParameters {
    private static final int KEY_CHARS_MAX = 255;

    private WriteParameters() {}

    static LineOptions lines(Exchange exchange, int rowBytesMax) {
        String nan = exchange.parameter("nan");
        if (nan != null && !nan.equals("drop-field") && !nan.equals("refuse")) {
            throw bad("parameter nan: expected refuse or drop-field, found \"" + printable(nan) + "\"");
        }
        return new LineOptions(precision(exchange), "drop-field".equals(nan), rowBytesMax);
    }

    static JsonOptions json(Exchange exchange, int rowBytesMax) {
        String type = exchange.request().getHeader("Content-Type");
        String media = type == null ? "" : type.toLowerCase(Locale.ROOT);
        boolean lines = media.contains("ndjson") || media.contains("jsonl") || media.contains("json-seq");
        return new JsonOptions(precision(exchange), lines, rowBytesMax, flat(exchange));
    }

    /** The client's {@code Idempotency-Key}, null without. */
    static @Nullable String idempotencyKey(Exchange exchange) {
        String key = exchange.request().getHeader("Idempotency-Key");
        if (key == null) {
            return null;
        }
        boolean visible = key.chars().allMatch(c -> c > ' ' && c < 0x7f);
        if (key.isEmpty() || key.length() > KEY_CHARS_MAX || !visible) {
            throw bad("Idempotency-Key: expected 1 to " + KEY_CHARS_MAX + " visible ASCII characters, found "
                    + key.length() + (visible ? "" : ", some of them others"));
        }
        return key;
    }

    /**
     * Holds Influx's bucket or database against the tenant. A foreign one and one that does not exist are refused alike.
     *
     * @param database as Influx's v1 interface words it
     */
    static void checkBucket(Exchange exchange, TenantOf.Caller caller, CatalogImage image, boolean database) {
        String name = exchange.parameter(database ? "db" : "bucket");
        if (name == null || name.isEmpty() || name.equals(caller.tenant())) {
            return;
        }
        TenantRecord tenant = image.tenants().get(caller.tenant());
        if (tenant != null && tenant.aliases().contains(name)) {
            return;
        }
        if (caller.authenticated()) {
            throw new RefusedException(Refusal.of(
                    ErrorCode.NOT_FOUND,
                    (database ? "database not found: \"" : "bucket not found: \"") + printable(name) + "\""));
        }
        exchange.warn("there is no authentication, so " + (database ? "database" : "bucket") + " \"" + printable(name)
                + "\" is stored in tenant " + caller.tenant());
    }

    private static Precision precision(Exchange exchange) {
        String name = exchange.parameter("precision");
        if (name == null || name.isEmpty()) {
            return Precision.NANOSECONDS;
        }
        return Precision.of(name)
                .orElseThrow(() ->
                        bad("parameter precision: expected ns, us, ms, s, m or h, found \"" + printable(name) + "\""));
    }

    private static JsonOptions.@Nullable Flat flat(Exchange exchange) {
        String measurement = exchange.parameter("measurement");
        String tags = exchange.parameter("tags");
        String time = exchange.parameter("time");
        if (measurement == null) {
            if (tags != null || time != null) {
                throw bad("parameters tags and time go with measurement, which is missing");
            }
            return null;
        }
        Set<String> names = new LinkedHashSet<>();
        if (tags != null && !tags.isEmpty()) {
            names.addAll(Arrays.asList(tags.split(",", -1)));
        }
        String timeKey = time == null ? "time" : time;
        if (names.contains(timeKey)) {
            throw bad("parameters tags and time: \"" + printable(timeKey) + "\" can't be a tag and the time");
        }
        return new JsonOptions.Flat(measurement, names, timeKey);
    }

    private static String printable(String text) {
        String cut = text.length() > 64 ? text.substring(0, 64) + "…" : text;
        return cut.replaceAll("[^\\x20-\\x7e…]", "?");
    }

    private static RefusedException bad(String message) {
        return new RefusedException(Refusal.of(ErrorCode.BAD_REQUEST, message));
    }
}
