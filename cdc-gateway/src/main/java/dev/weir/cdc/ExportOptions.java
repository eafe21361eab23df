package dev.weir.cdc;

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
 *     {@code partition}, {@code from} (now, earliest, a cursor, an RFC 3339 time), {@code int64}
 * @param rowsMax of a batch
 * @param behindMax in {@link CdcBatchExporter.Mode#AT_MOST_ONCE}: events of a partition that may wait for the consumer; older ones are dropped
 */
public record ExportOptions(
        String tenant,
        Map<String, List<String>> parameters,
        CdcLayout layout,
        CdcBatchExporter.Mode mode,
        int rowsMax,
        long behindMax) {
    private static final long BEHIND_MAX = 100_000;

    public ExportOptions {
        Map<String, List<String>> copy = new TreeMap<>();
        parameters.forEach((name, values) -> copy.put(name, List.copyOf(values)));
        parameters = Collections.unmodifiableMap(copy);
        if (rowsMax < 1 || rowsMax > ArrowOptions.ROWS_LIMIT) {
            throw new IllegalArgumentException(
                    "rowsMax: expected 1 to " + ArrowOptions.ROWS_LIMIT + ", found " + rowsMax);
        }
        if (behindMax < 1) {
            throw new IllegalArgumentException("behindMax: expected at least 1, found " + behindMax);
        }
    }

    /** All events of a tenant from now on, at least once, in all columns. */
    public static ExportOptions of(String tenant) {
        return new ExportOptions(
                tenant,
                Map.of(),
                CdcLayout.FULL,
                CdcBatchExporter.Mode.AT_LEAST_ONCE,
                ArrowOptions.ROWS_MAX,
                BEHIND_MAX);
    }

    /** With one more value of a parameter. */
    public ExportOptions with(String name, String value) {
        Map<String, List<String>> more = new TreeMap<>(parameters);
        List<String> values = new ArrayList<>(more.getOrDefault(name, List.of()));
        values.add(value);
        more.put(name, values);
        return new ExportOptions(tenant, more, layout, mode, rowsMax, behindMax);
    }

    public ExportOptions atMostOnce(long newBehindMax) {
        return new ExportOptions(tenant, parameters, layout, CdcBatchExporter.Mode.AT_MOST_ONCE, rowsMax, newBehindMax);
    }

    public ExportOptions withRowsMax(int newRowsMax) {
        return new ExportOptions(tenant, parameters, layout, mode, newRowsMax, behindMax);
    }

    public ExportOptions withLayout(CdcLayout newLayout) {
        return new ExportOptions(tenant, parameters, newLayout, mode, rowsMax, behindMax);
    }

    /** @throws RequestRefused what is wrong with the parameters */
    StreamRequest request() {
        MultiMap all = MultiMap.caseInsensitiveMultiMap();
        parameters.forEach(all::add);
        return StreamRequestParser.parse(tenant, StreamFormat.SSE, all, null);
    }
}
