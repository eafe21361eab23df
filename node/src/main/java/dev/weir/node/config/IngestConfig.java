package dev.weir.node.config;

/** Limits of the ingest front door. */
public record IngestConfig(
        long bodyBytesMax,
        long inflatedBytesMax,
        long bytesInFlight,
        int columnsPerTable,
        int seriesPerTable,
        int seriesPerTenant,
        int tablesPerTenant) {
    private static final long INFLATED_BYTES_MAX = 1 << 30;

    public IngestConfig {
        if (bodyBytesMax < 1 || inflatedBytesMax < bodyBytesMax || bytesInFlight < inflatedBytesMax) {
            throw new ConfigException("ingest.body-bytes-max, ingest.inflated-bytes-max, ingest.bytes-in-flight:"
                    + " expected each at least as large as the one before, found " + bodyBytesMax + ", "
                    + inflatedBytesMax + ", " + bytesInFlight);
        }
        if (inflatedBytesMax > INFLATED_BYTES_MAX) {
            throw new ConfigException("ingest.inflated-bytes-max: expected at most " + INFLATED_BYTES_MAX + ", found "
                    + inflatedBytesMax);
        }
    }

    static IngestConfig of(Settings settings) {
        return new IngestConfig(
                settings.bytes("ingest.body-bytes-max"),
                settings.bytes("ingest.inflated-bytes-max"),
                settings.bytes("ingest.bytes-in-flight"),
                settings.count("limits.columns-per-table"),
                settings.count("limits.series-per-table"),
                settings.count("limits.series-per-tenant"),
                settings.count("limits.tables-per-tenant"));
    }
}
