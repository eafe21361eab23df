package dev.weir.ops.bench;

import java.time.Instant;
import java.util.List;
import java.util.Random;

/** The devops queries of the Time Series Benchmark Suite over rows of {@link CpuRows}, at random hosts and hours. Used by one thread. */
final class CpuQueries {
    private static final long HOUR_NANOS = 3_600_000_000_000L;
    private static final int LONG_HOURS = 12;
    private static final String FIELDS = String.join(", ", CpuRows.FIELDS);

    private final String table;
    private final Extent extent;
    private final Random random;

    /**
     * What is in the table.
     *
     * @param fromNanos the oldest row
     * @param toNanos the newest row
     */
    record Extent(long fromNanos, long toNanos, int hosts) {}

    /**
     * A kind of query.
     *
     * @param accept the media type in which its answer is asked for
     */
    record Kind(String name, String accept) {}

    static final Kind SINGLE_GROUP_BY = new Kind("single-groupby-1-1-1", "application/json");
    static final Kind DOUBLE_GROUP_BY = new Kind("double-groupby-1", "application/json");
    static final Kind LAST_POINT = new Kind("lastpoint", "application/json");
    static final Kind HIGH_CPU_ALL = new Kind("high-cpu-all", "application/vnd.apache.arrow.stream");
    static final List<Kind> KINDS = List.of(SINGLE_GROUP_BY, DOUBLE_GROUP_BY, LAST_POINT, HIGH_CPU_ALL);

    CpuQueries(String table, Extent extent, long seed) {
        this.table = '"' + table.replace("\"", "\"\"") + '"';
        this.extent = extent;
        this.random = new Random(seed);
    }

    /** The next statement of a kind. */
    String next(Kind kind) {
        return switch (kind.name()) {
            case "single-groupby-1-1-1" ->
                "SELECT time_bucket('1 minute', time) AS minute, max(usage_user) FROM " + table
                        + " WHERE hostname = 'host_" + random.nextInt(extent.hosts) + "' AND " + hours(1)
                        + " GROUP BY minute ORDER BY minute";
            case "double-groupby-1" ->
                "SELECT time_bucket('1 hour', time) AS hour, hostname, avg(usage_user) FROM " + table + " WHERE "
                        + hours(LONG_HOURS) + " GROUP BY hour, hostname ORDER BY hour, hostname";
            case "lastpoint" ->
                "SELECT DISTINCT ON (hostname) hostname, time, " + FIELDS + " FROM " + table
                        + " ORDER BY hostname, time DESC";
            default -> "SELECT * FROM " + table + " WHERE usage_user > 90.0 AND " + hours(LONG_HOURS);
        };
    }

    /** A window inside of what is there, or all of it where that is shorter. */
    private String hours(int hours) {
        long length = hours * HOUR_NANOS;
        long room = extent.toNanos - extent.fromNanos - length;
        long from = extent.fromNanos + (room <= 0 ? 0 : random.nextLong(room));
        return "time >= '" + text(from) + "' AND time < '" + text(from + length) + "'";
    }

    private static String text(long nanos) {
        return Instant.ofEpochSecond(0, nanos).toString();
    }
}
