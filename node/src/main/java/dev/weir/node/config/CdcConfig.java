package dev.weir.node.config;

import java.time.Duration;

/** Limits of the change streams. */
public record CdcConfig(
        long subscriberBytesMax,
        long ringBytesMax,
        Duration keepalive,
        Duration checkpoint,
        int subscribers,
        long arrowBatchBytes,
        long arrowPagesBytesMax,
        int catchUpPercent,
        Leases leases,
        Duration stopSpread) {
    private static final long SUBSCRIBER_BYTES_MIN = 64 << 10;
    private static final long SUBSCRIBER_BYTES_MAX = 1 << 30;
    /** Batches of one page, which is kept whole: a cache with less room would keep none. */
    private static final int ARROW_PAGE_BATCHES = 8;
    /** Whoever stops a node in order kills it after a minute, and the rest of the stop needs some of it. */
    private static final Duration STOP_SPREAD_MAX = Duration.ofSeconds(20);

    /**
     * Bounds of history that is held for readers.
     *
     * @param lapse without a reader
     * @param ageMax of a lease that is read
     * @param countMax in the cluster
     * @param logBytes of a partition, beyond retention
     * @param readersMax on this node
     */
    public record Leases(Duration lapse, Duration ageMax, int countMax, long logBytes, int readersMax) {
        public Leases {
            if (lapse.toMillis() < 1000 || ageMax.compareTo(lapse) < 0) {
                throw new ConfigException("cdc.lease, cdc.lease-max: expected at least 1s, and the second at least as"
                        + " long, found " + lapse + " and " + ageMax);
            }
        }
    }

    public CdcConfig {
        if (subscriberBytesMax < SUBSCRIBER_BYTES_MIN
                || subscriberBytesMax > SUBSCRIBER_BYTES_MAX
                || ringBytesMax < subscriberBytesMax) {
            throw new ConfigException("cdc.subscriber-bytes-max, cdc.ring-bytes-max: expected 64KiB to 1GiB, and the"
                    + " ring at least as large, found " + subscriberBytesMax + " and " + ringBytesMax);
        }
        if (arrowBatchBytes < 1 << 10 || arrowBatchBytes > 16 << 20 || arrowPagesBytesMax < 1 << 20) {
            throw new ConfigException("cdc.arrow-batch-bytes, cdc.arrow-pages-bytes-max: expected 1KiB to 16MiB, and at"
                    + " least 1MiB, found " + arrowBatchBytes + " and " + arrowPagesBytesMax);
        }
        if (arrowPagesBytesMax < ARROW_PAGE_BATCHES * arrowBatchBytes) {
            throw new ConfigException("cdc.arrow-pages-bytes-max: expected at least "
                    + ARROW_PAGE_BATCHES * arrowBatchBytes + ", " + ARROW_PAGE_BATCHES
                    + " times cdc.arrow-batch-bytes, found " + arrowPagesBytesMax);
        }
        if (stopSpread.compareTo(STOP_SPREAD_MAX) > 0) {
            throw new ConfigException("cdc.stop-spread: expected at most " + STOP_SPREAD_MAX.toSeconds() + "s, found "
                    + stopSpread.toMillis() + "ms");
        }
        if (keepalive.toMillis() < 100 || checkpoint.toMillis() < 100) {
            throw new ConfigException("cdc.keepalive, cdc.checkpoint: expected at least 100ms");
        }
    }

    static CdcConfig of(Settings settings) {
        return new CdcConfig(
                settings.bytes("cdc.subscriber-bytes-max"),
                settings.bytes("cdc.ring-bytes-max"),
                settings.duration("cdc.keepalive"),
                settings.duration("cdc.checkpoint"),
                settings.count("cdc.subscribers"),
                settings.bytes("cdc.arrow-batch-bytes"),
                settings.bytes("cdc.arrow-pages-bytes-max"),
                settings.count("cdc.catch-up-percent"),
                new Leases(
                        settings.duration("cdc.lease"),
                        settings.duration("cdc.lease-max"),
                        settings.count("cdc.leases"),
                        settings.bytes("cdc.lease-log-bytes"),
                        settings.count("cdc.history-readers")),
                settings.duration("cdc.stop-spread"));
    }
}
