package dev.weir.query;

import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.read.Consistency;
import io.vertx.core.MultiMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

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
                        throw QueryParameters.bad("unknown parameter " + name + "; known are " + KNOWN);
                    }
                    tags.computeIfAbsent(name.substring(TAG.length()), key -> new ArrayList<>())
                            .add(parameter.getValue());
                }
            }
        }
        String measurement = QueryParameters.single(parameters, "measurement");
        if (measurement == null || measurement.isEmpty()) {
            throw QueryParameters.bad("measurement is required");
        }
        return new ReadRequest(
                tenant,
                measurement,
                tags,
                QueryParameters.choice(parameters, "consistency", "leader", "any")
                        ? Consistency.ANY
                        : Consistency.LEADER,
                QueryParameters.minCursor(tenant, parameters),
                QueryParameters.choice(parameters, "epoch", "rfc3339", "ns"),
                QueryParameters.choice(parameters, "int64", "number", "string"));
    }
}
