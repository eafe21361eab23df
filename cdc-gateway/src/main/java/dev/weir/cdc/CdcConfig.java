package dev.weir.cdc;

import java.time.Duration;

/**
 * The keys {@code cdc.*}.
 *
 * @param subscribersMax {@code cdc.subscribers}: streams open on this node at once; more get 503
 * @param subscriberBytesMax {@code cdc.subscriber-bytes-max}: bytes handed to one connection and not yet written to its socket
 * @param ringBytesMax {@code cdc.ring-bytes-max}: newest frames that one filter keeps for its live subscribers
 * @param ringsBytesMax {@code cdc.rings-bytes-max}: the same over all filters
 * @param pagesBytesMax {@code cdc.pages-bytes-max}: encoded pages kept for subscribers that read back
 * @param pageBytes {@code cdc.page-bytes}: encoded log records read at once from a feed
 * @param sliceBytes {@code cdc.slice-bytes}: frames written at once to a connection
 * @param heartbeat {@code cdc.keepalive}: at most so long between two bytes on a stream, and between two checkpoints on a quiet one
 * @param startTimeout {@code cdc.start-timeout}: for finding the place where a stream begins
 * @param retry {@code cdc.retry}: middle of the reconnection delay that clients are told; each gets its own between half and one and a half
 * @param arrowBatchBytes {@code cdc.arrow-batch-bytes}: a record batch is cut where it has so many bytes, uncompressed
 * @param arrowPageBytes fixed, no key: encoded log records read at once to make record batches
 * @param arrowPagesBytesMax {@code cdc.arrow-pages-bytes-max}: record batches kept for subscribers that read at the same place; a whole page at least
 */
public record CdcConfig(
        int subscribersMax,
        int subscriberBytesMax,
        long ringBytesMax,
        long ringsBytesMax,
        long pagesBytesMax,
        int pageBytes,
        int sliceBytes,
        Duration heartbeat,
        Duration startTimeout,
        Duration retry,
        int arrowBatchBytes,
        int arrowPageBytes,
        long arrowPagesBytesMax) {
    /** Batches that are made at once; so a page has at most so many times {@code cdc.arrow-batch-bytes}, and one event. */
    static final int ARROW_PAGE_BATCHES = 8;
    /** Memory off the heap in which batches are made, over all streams. */
    static final long ARROW_MEMORY_MAX = 1L << 30;

    private static final int KIB = 1024;
    private static final int MIB = 1024 * KIB;

    public CdcConfig {
        atLeast("cdc.subscribers", subscribersMax, 1);
        atLeast("cdc.slice-bytes", sliceBytes, KIB);
        atLeast("cdc.subscriber-bytes-max", subscriberBytesMax, sliceBytes);
        atLeast("cdc.ring-bytes-max", ringBytesMax, sliceBytes);
        atLeast("cdc.rings-bytes-max", ringsBytesMax, ringBytesMax);
        atLeast("cdc.pages-bytes-max", pagesBytesMax, MIB);
        atLeast("cdc.page-bytes", pageBytes, KIB);
        atLeast("cdc.arrow-batch-bytes", arrowBatchBytes, KIB);
        atLeast("arrowPageBytes", arrowPageBytes, KIB);
        atLeast("cdc.arrow-pages-bytes-max", arrowPagesBytesMax, MIB);
        long page = ARROW_PAGE_BATCHES * (long) arrowBatchBytes;
        if (arrowPagesBytesMax < page) {
            throw new IllegalArgumentException("cdc.arrow-pages-bytes-max: expected at least " + page + ", "
                    + ARROW_PAGE_BATCHES + " times cdc.arrow-batch-bytes, found " + arrowPagesBytesMax);
        }
        positive("cdc.keepalive", heartbeat);
        positive("cdc.start-timeout", startTimeout);
        positive("cdc.retry", retry);
    }

    public static CdcConfig defaults() {
        return new CdcConfig(
                2_000,
                MIB,
                4L * MIB,
                64L * MIB,
                64L * MIB,
                64 * KIB,
                64 * KIB,
                Duration.ofSeconds(15),
                Duration.ofSeconds(10),
                Duration.ofSeconds(2),
                MIB,
                128 * KIB,
                64L * MIB);
    }

    public CdcConfig withHeartbeat(Duration value) {
        return new CdcConfig(
                subscribersMax,
                subscriberBytesMax,
                ringBytesMax,
                ringsBytesMax,
                pagesBytesMax,
                pageBytes,
                sliceBytes,
                value,
                startTimeout,
                retry,
                arrowBatchBytes,
                arrowPageBytes,
                arrowPagesBytesMax);
    }

    public CdcConfig withSubscriberBytesMax(int value) {
        return new CdcConfig(
                subscribersMax,
                value,
                ringBytesMax,
                ringsBytesMax,
                pagesBytesMax,
                pageBytes,
                sliceBytes,
                heartbeat,
                startTimeout,
                retry,
                arrowBatchBytes,
                arrowPageBytes,
                arrowPagesBytesMax);
    }

    private static void atLeast(String key, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(key + ": expected at least " + least + ", found " + value);
        }
    }

    private static void positive(String key, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(key + ": expected a positive duration, found " + value);
        }
    }
}
