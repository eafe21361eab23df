package dev.weir.cdc;

import dev.weir.partition.model.ErrorCode;
import io.vertx.core.MultiMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a {@link CdcBatchExporter} reads, and how it yields it. Immutable.
 *
 * @param tenant whose events
 * @param parameters filter and start, named as those of {@code GET /api/v1/cdc/stream}: {@code measurement}, {@code event_type}, {@code tag.<key>},
 *     {@code partition}, {@code from} (now, earliest, a cursor, an RFC 3339 time), {@code int64}, {@code mode}, {@code queue_events}
 * @param rowsMax of a batch
 */
public record ExportOptions(String tenant, Map<String, List<String>> parameters, CdcLayout layout, int rowsMax) {
    public ExportOptions {
        Map<String, List<String>> copy = new TreeMap<>();
        parameters.forEach((name, values) -> copy.put(name, List.copyOf(values)));
        parameters = Collections.unmodifiableMap(copy);
        if (rowsMax < 1 || rowsMax > ArrowOptions.ROWS_LIMIT) {
            throw new IllegalArgumentException(
                    "rowsMax: expected 1 to " + ArrowOptions.ROWS_LIMIT + ", found " + rowsMax);
        }
    }

    /** All events of a tenant from now on, at least once, in all columns. */
    public static ExportOptions of(String tenant) {
        return new ExportOptions(tenant, Map.of(), CdcLayout.FULL, ArrowOptions.ROWS_MAX);
    }

    /** With one more value of a parameter. */
    public ExportOptions with(String name, String value) {
        Map<String, List<String>> more = new TreeMap<>(parameters);
        List<String> values = new ArrayList<>(more.getOrDefault(name, List.of()));
        values.add(value);
        more.put(name, values);
        return new ExportOptions(tenant, more, layout, rowsMax);
    }

    /**
     * Leaves out the oldest events where the consumer falls behind ({@link DeliveryMode#AT_MOST_ONCE}).
     *
     * @param queueEvents events of a partition that may wait for the consumer, 1 to 10,000,000
     */
    public ExportOptions atMostOnce(int queueEvents) {
        return with("mode", DeliveryMode.AT_MOST_ONCE.wireName()).with("queue_events", Integer.toString(queueEvents));
    }

    public ExportOptions withRowsMax(int newRowsMax) {
        return new ExportOptions(tenant, parameters, layout, newRowsMax);
    }

    public ExportOptions withLayout(CdcLayout newLayout) {
        return new ExportOptions(tenant, parameters, newLayout, rowsMax);
    }

    /** @throws RequestRefused what is wrong with the parameters */
    StreamRequest request() {
        MultiMap all = MultiMap.caseInsensitiveMultiMap();
        parameters.forEach(all::add);
        StreamRequest request = StreamRequestParser.parse(tenant, StreamFormat.SSE, all, null);
        if (request.delivery().resolvedEvery().isPresent()) {
            throw RequestRefused.of(ErrorCode.BAD_REQUEST, "resolved: an exporter yields events alone, expected none");
        }
        return request;
    }
}
