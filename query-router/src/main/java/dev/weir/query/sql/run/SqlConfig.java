package dev.weir.query.sql.run;

import java.time.Duration;

/**
 * The keys {@code sql.*}. A refusal by one of them begins with its name.
 *
 * @param concurrentMax {@code sql.concurrent-max}: statements that run at once on this node; each has its own memory
 * @param threads {@code sql.threads}: threads of one statement
 * @param memoryBytes {@code sql.memory-bytes}: memory of one statement; sorts and joins beyond it go to disk
 * @param spillBytes {@code sql.spill-bytes}: disk that one statement may use so
 * @param rowsMax {@code sql.rows-max}: rows of one answer
 * @param timeout {@code sql.timeout}: from the first wait for a seat to the last row that the client took
 * @param tenantConcurrentMax {@code sql.tenant-concurrent-max}: statements of one tenant that run at once
 * @param tenantQueueMax {@code sql.tenant-queue-max}: statements of one tenant that wait; more get 503
 * @param textBytesMax {@code sql.text-bytes-max}: length of a statement in UTF-8
 * @param answerBytesMax {@code sql.answer-bytes-max}: bytes of one answer that wait for a slow client; then the statement waits
 */
public record SqlConfig(
        int concurrentMax,
        int threads,
        long memoryBytes,
        long spillBytes,
        long rowsMax,
        Duration timeout,
        int tenantConcurrentMax,
        int tenantQueueMax,
        int textBytesMax,
        int answerBytesMax) {
    public SqlConfig {
        atLeast("sql.concurrent-max", concurrentMax, 1);
        atLeast("sql.threads", threads, 1);
        atLeast("sql.memory-bytes", memoryBytes, 16 << 20);
        atLeast("sql.spill-bytes", spillBytes, 0);
        atLeast("sql.rows-max", rowsMax, 1);
        atLeast("sql.tenant-concurrent-max", tenantConcurrentMax, 1);
        atLeast("sql.tenant-queue-max", tenantQueueMax, 0);
        atLeast("sql.text-bytes-max", textBytesMax, 1024);
        atLeast("sql.answer-bytes-max", answerBytesMax, 64 << 10);
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("sql.timeout: expected a positive duration, found " + timeout);
        }
    }

    public static SqlConfig defaults() {
        return new SqlConfig(
                4,
                Math.max(1, Math.min(8, Runtime.getRuntime().availableProcessors())),
                512L << 20,
                4L << 30,
                10_000_000,
                Duration.ofSeconds(60),
                3,
                32,
                1 << 20,
                4 << 20);
    }

    private static void atLeast(String key, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(key + ": expected at least " + least + ", found " + value);
        }
    }
}
