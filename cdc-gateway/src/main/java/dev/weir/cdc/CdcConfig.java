package dev.weir.cdc;

import java.time.Duration;

/**
 * Limits of the streams of this node: keys {@code cdc.*}, and what is fixed.
 *
 * @param subscribersMax {@code cdc.subscribers}: streams open on this node at once; more get 503
 * @param subscriberBytesMax {@code cdc.subscriber-bytes-max}: bytes handed to one connection and not yet written to its socket
 * @param ringBytesMax fixed, no key: newest frames that one filter keeps for its live subscribers
 * @param ringsBytesMax {@code cdc.ring-bytes-max}: the same over all filters; one filter keeps no more either
 * @param pagesBytesMax fixed, no key: encoded pages kept for subscribers that read back
 * @param pageBytes fixed, no key: encoded log records read at once from a feed
 * @param sliceBytes fixed, no key: frames written at once to a connection
 * @param heartbeat {@code cdc.keepalive}: at most so long between two bytes on a stream, and between two checkpoints on a quiet one
 * @param startTimeout fixed, no key: for finding the place where a stream begins
 * @param retry fixed, no key: middle of the reconnection delay that clients are told; each gets its own between half and one and a half
 * @param arrowBatchBytes {@code cdc.arrow-batch-bytes}: a record batch is cut where it has so many bytes, uncompressed
 * @param arrowPageBytes fixed, no key: encoded log records read at once to make record batches
 * @param arrowPagesBytesMax {@code cdc.arrow-pages-bytes-max}: record batches kept for subscribers that read at the same place; a whole page at least
 * @param catchUpPercent {@code cdc.catch-up-percent}: of one processor, that pages for streams which are behind may take while there are writes, however busy the machine is
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
        long arrowPagesBytesMax,
        int catchUpPercent) {
    /** Batches that are made at once; so a page has at most so many times {@code cdc.arrow-batch-bytes}, and one event. */
    static final int ARROW_PAGE_BATCHES = 8;
    /** Memory off the heap in which batches are made, over all streams. */
    static final long ARROW_MEMORY_MAX = 1L << 30;

    private static final int KIB = 1024;
    private static final int MIB = 1024 * KIB;

    public CdcConfig {
        atLeast("cdc.subscribers", subscribersMax, 1);
        atLeast("sliceBytes", sliceBytes, KIB);
        atLeast("cdc.subscriber-bytes-max", subscriberBytesMax, sliceBytes);
        atLeast("ringBytesMax", ringBytesMax, sliceBytes);
        atLeast("cdc.ring-bytes-max", ringsBytesMax, ringBytesMax);
        atLeast("pagesBytesMax", pagesBytesMax, MIB);
        atLeast("pageBytes", pageBytes, KIB);
        atLeast("cdc.arrow-batch-bytes", arrowBatchBytes, KIB);
        atLeast("arrowPageBytes", arrowPageBytes, KIB);
        atLeast("cdc.arrow-pages-bytes-max", arrowPagesBytesMax, MIB);
        long page = ARROW_PAGE_BATCHES * (long) arrowBatchBytes;
        if (arrowPagesBytesMax < page) {
            throw new IllegalArgumentException("cdc.arrow-pages-bytes-max: expected at least " + page + ", "
                    + ARROW_PAGE_BATCHES + " times cdc.arrow-batch-bytes, found " + arrowPagesBytesMax);
        }
        atLeast("cdc.catch-up-percent", catchUpPercent, 1);
        positive("cdc.keepalive", heartbeat);
        positive("startTimeout", startTimeout);
        positive("retry", retry);
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
                64L * MIB,
                20);
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
                arrowPagesBytesMax,
                catchUpPercent);
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
                arrowPagesBytesMax,
                catchUpPercent);
    }

    private static void atLeast(String name, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(name + ": expected at least " + least + ", found " + value);
        }
    }

    private static void positive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + ": expected a positive duration, found " + value);
        }
    }
}
